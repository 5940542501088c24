# SPDX-License-Identifier: Apache-2.0
"""What programs import by name beside the device itself."""
