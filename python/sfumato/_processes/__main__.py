# SPDX-License-Identifier: Apache-2.0
"""A process that `Server` started (servers.py): python -m sfumato._processes FILE MODULE WORDS... calls main(FILE's socket, *WORDS)."""

import importlib
import socket
import sys

importlib.import_module(sys.argv[2]).main(socket.socket(fileno=int(sys.argv[1])), *sys.argv[3:])
