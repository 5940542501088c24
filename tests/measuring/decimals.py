# SPDX-License-Identifier: Apache-2.0
"""Functions to 60 digits, from their series, in decimal arithmetic: the oracle of what `sfumato ulp` compares with."""

from decimal import Decimal, getcontext

getcontext().prec = 90
getcontext().Emin, getcontext().Emax = -(10**9), 10**9

TINY = Decimal(10) ** -80


def series(first, ratio):
    """first, and each term ratio(k) times the one before, until they are nothing beside the sum."""
    total, term, k = first, first, 1
    while term and (abs(term) > abs(total) * TINY or k < 4):
        term *= ratio(k)
        total += term
        k += 1
    return total


def arctangent(x):
    halvings = 0
    while abs(x) > Decimal("0.01"):
        x = x / (1 + (1 + x * x).sqrt())
        halvings += 1
    return series(x, lambda k: -x * x * (2 * k - 1) / (2 * k + 1)) * 2**halvings


PI = 4 * arctangent(Decimal(1))
LN2, LN10 = Decimal(2).ln(), Decimal(10).ln()


def sine(x):
    with_turns = x - 2 * PI * (x / (2 * PI)).to_integral_value()
    return series(with_turns, lambda k: -with_turns * with_turns / (2 * k * (2 * k + 1)))


def cosine(x):
    return sine(PI / 2 - x)


def hyperbolic_sine(x):
    return (x.exp() - (-x).exp()) / 2 if abs(x) > 1 else series(x, lambda k: x * x / (2 * k * (2 * k + 1)))


def hyperbolic_tangent(x):
    if abs(x) > 100:
        return Decimal(1).copy_sign(x)
    return hyperbolic_sine(x) / ((x.exp() + (-x).exp()) / 2)


def log_of_one_and(x):
    return (1 + x).ln() if abs(x) > Decimal(10) ** -8 else series(x, lambda k: -x * k / (k + 1))


def inverse_hyperbolic_sine(x):
    magnitude = abs(x)
    root = (1 + magnitude * magnitude).sqrt()
    return log_of_one_and(magnitude + magnitude * magnitude / (1 + root)).copy_sign(x)


def inverse_hyperbolic_tangent(x):
    return log_of_one_and(2 * x / (1 - x)) / 2


def arcsine(x):
    return (PI / 2).copy_sign(x) if abs(x) == 1 else arctangent(x / ((1 - x) * (1 + x)).sqrt())


def error_function(x):
    return 2 / PI.sqrt() * series(x, lambda k: -x * x * (2 * k - 1) / (k * (2 * k + 1)))


BERNOULLI = [
    Decimal(n) / d for n, d in ((1, 6), (-1, 30), (1, 42), (-1, 30), (5, 66), (-691, 2730), (7, 6), (-3617, 510))
]
SHIFT = 2000


def log_gamma(x):
    """Stirling's series far away, and the product that leads there. Of negative x by reflection."""
    if x < 0:
        return PI.ln() - abs(sine(PI * (x - x.to_integral_value()))).ln() - log_gamma(1 - x)
    steps = max(0, SHIFT - int(x))
    product = Decimal(1)
    for k in range(steps):
        product *= x + k
    y = x + steps
    tail = sum(b / (2 * k * (2 * k - 1) * y ** (2 * k - 1)) for k, b in enumerate(BERNOULLI, 1))
    return (y - Decimal("0.5")) * y.ln() - y + (2 * PI).ln() / 2 + tail - product.ln()


def digamma(x):
    if x < 0:
        fraction = PI * (x - x.to_integral_value())
        return digamma(1 - x) - PI * cosine(fraction) / sine(fraction)
    steps = max(0, SHIFT - int(x))
    y = x + steps
    tail = sum(b / (2 * k * y ** (2 * k)) for k, b in enumerate(BERNOULLI, 1))
    return y.ln() - 1 / (2 * y) - tail - sum(1 / (x + k) for k in range(steps))


def gate(x, exponent):
    return x / (1 + exponent.exp())


FUNCTIONS = {
    "Exp": lambda x, z: x.exp(),
    "Ln": lambda x, z: x.ln(),
    "Log2": lambda x, z: x.ln() / LN2,
    "Log10": lambda x, z: x.ln() / LN10,
    "Sqrt": lambda x, z: x.sqrt(),
    "Rsqrt": lambda x, z: 1 / x.sqrt(),
    "Reciprocal": lambda x, z: 1 / x,
    "Sin": lambda x, z: sine(x),
    "Cos": lambda x, z: cosine(x),
    "Tan": lambda x, z: sine(x) / cosine(x),
    "Asin": lambda x, z: arcsine(x),
    "Acos": lambda x, z: PI / 2 - arcsine(x),
    "Atan": lambda x, z: arctangent(x),
    "Sinh": lambda x, z: hyperbolic_sine(x),
    "Cosh": lambda x, z: (x.exp() + (-x).exp()) / 2,
    "Tanh": lambda x, z: hyperbolic_tangent(x),
    "Asinh": lambda x, z: inverse_hyperbolic_sine(x),
    "Acosh": lambda x, z: (x + ((x - 1) * (x + 1)).sqrt()).ln(),
    "Atanh": lambda x, z: inverse_hyperbolic_tangent(x),
    "Erf": lambda x, z: error_function(x),
    "Erfc": lambda x, z: 1 - error_function(x),
    "Lgamma": lambda x, z: log_gamma(x),
    "Digamma": lambda x, z: digamma(x),
    "Add": lambda x, z: x + z,
    "Sub": lambda x, z: x - z,
    "Mul": lambda x, z: x * z,
    "Div": lambda x, z: x / z,
    "Power": lambda x, z: (z * x.ln()).exp(),
    "Hypot": lambda x, z: (x * x + z * z).sqrt(),
    "Sigmoid": lambda x, z: gate(Decimal(1), -x),
    "Silu": lambda x, z: gate(x, -x),
    "Gelu": lambda x, z: gate(x, Decimal("-1.5957691") * (x + Decimal("0.044715") * x**3)),
    "FasterGelu": lambda x, z: gate(x, Decimal("-1.702") * x),
    "SwiGLU": lambda x, z: x * gate(z, -z),
    "GeGLU": lambda x, z: x * gate(z, Decimal("-0.0713548162726") * z * (z * z + Decimal("22.363860002236"))),
}
