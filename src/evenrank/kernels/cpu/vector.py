"""512 bits as one value for numba: eight 64-bit words that live in one AVX-512 register.

Plain loops over eight words leave it to the compiler whether they become vector instructions; a vector type leaves no
choice. Processors with narrower registers get two or four instructions instead of one, the source stays the same.
A vector is loaded from and stored to flat uint64 arrays; positions count vectors, not words.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import extending, njit, types
from numba.core import cgutils
from numba.core.typing.templates import ConcreteTemplate, infer_global
from numba.extending import lower_builtin, models, register_model

WORDS = 8  # 64-bit words of a vector
ITEMS = 64 * WORDS  # bits of a vector: one for each item of a block

# Decorators. What is never called from Python needs no wrapper for it, which saves half of the compilation. What runs
# inside the loops only touches arrays of its caller: counting references to them would cost more than the arithmetic.
UNWRAPPED = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
helper: Callable[[Any], Any] = njit(nogil=True, **UNWRAPPED)  # type: ignore[call-overload]
inner: Callable[[Any], Any] = njit(nogil=True, _nrt=False, **UNWRAPPED)  # type: ignore[call-overload]
inlined: Callable[[Any], Any] = njit(forceinline=True, _nrt=False, **UNWRAPPED)  # type: ignore[call-overload]
intrinsic: Callable[[Any], Any] = extending.intrinsic


class Vector(types.Type):
    """The numba type of a vector."""

    def __init__(self) -> None:
        super().__init__("Vector")


vector = Vector()
word = ir.IntType(64)
lanes = ir.VectorType(word, WORDS)


@register_model(Vector)
class VectorModel(models.PrimitiveModel):
    """A vector is held as one LLVM value."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, lanes)  # type: ignore[no-untyped-call]


def address(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Return the LLVM pointer to vector number `arguments[1]` of the array `arguments[0]`."""
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    return builder.gep(builder.bitcast(array.data, lanes.as_pointer()), [arguments[1]])


@intrinsic
def load(typing: Any, array: Any, position: Any) -> Any:
    """Return vector number `position` of a flat uint64 array (at a multiple of 64 bytes: see `vectors`)."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(address(context, builder, signature, arguments), align=64)

    return vector(array, types.intp), generate


@intrinsic
def load_at(typing: Any, array: Any, offset: Any) -> Any:
    """Return the vector that begins `offset` bytes into a flat uint64 array (a multiple of 64)."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        start = builder.bitcast(array.data, ir.IntType(8).as_pointer())
        return builder.load(builder.bitcast(builder.gep(start, [arguments[1]]), lanes.as_pointer()), align=64)

    return vector(array, types.intp), generate


@intrinsic
def store(typing: Any, array: Any, position: Any, value: Any) -> Any:
    """Write `value` as vector number `position` of a flat uint64 array."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[2], address(context, builder, signature, arguments), align=64)
        return context.get_dummy_value()

    return types.none(array, types.intp, vector), generate


@intrinsic
def empty(typing: Any) -> Any:
    """Return a vector without any bit set."""
    return vector(), lambda context, builder, signature, arguments: ir.Constant(lanes, None)


def spread(builder: Any, value: Any) -> Any:
    """Return the LLVM vector that holds `value` in each word."""
    undefined = ir.Constant(lanes, ir.Undefined)
    first = builder.insert_element(undefined, value, ir.IntType(32)(0))
    return builder.shuffle_vector(first, undefined, ir.Constant(ir.VectorType(ir.IntType(32), WORDS), None))


@intrinsic
def filled(typing: Any, value: Any) -> Any:
    """Return a vector with `value` in each word."""
    return vector(types.uint64), lambda context, builder, signature, arguments: spread(builder, arguments[0])


@intrinsic
def shift_right(typing: Any, value: Any, amount: Any) -> Any:
    """Return each word shifted right by `amount` bits."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.lshr(arguments[0], spread(builder, arguments[1]))

    return vector(vector, types.uint64), generate


def call(builder: Any, name: str, result: Any, arguments: Any) -> Any:
    """Return the LLVM value of calling the LLVM intrinsic `name`."""
    kind = ir.FunctionType(result, [argument.type for argument in arguments])
    function = cgutils.get_or_insert_function(builder.module, kind, name)  # type: ignore[no-untyped-call]
    return builder.call(function, arguments)


@intrinsic
def popcount(typing: Any, value: Any) -> Any:
    """Return the number of bits set in each word of a vector."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return call(builder, "llvm.ctpop.v8i64", lanes, arguments)

    return vector(vector), generate


@intrinsic
def popcount_word(typing: Any, value: Any) -> Any:
    """Return the number of bits set in one uint64."""
    return types.int64(types.uint64), lambda context, builder, signature, arguments: builder.ctpop(arguments[0])


@intrinsic
def full_adder(typing: Any, a: Any, b: Any, c: Any) -> Any:
    """Return (sum, carry) of a + b + c for each bit: set in one or three of the vectors, set in two or three."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        a, b, c = arguments
        total = builder.xor(builder.xor(a, b), c)
        if "+avx512f" in context.codegen().magic_tuple()[2]:  # one instruction, which LLVM does not find by itself
            truth = ir.IntType(32)(0b11101000)
            carry = call(builder, "llvm.x86.avx512.pternlog.q.512", lanes, (a, b, c, truth))
        else:
            carry = builder.or_(builder.and_(a, b), builder.and_(c, builder.or_(a, b)))
        return context.make_tuple(builder, signature.return_type, (total, carry))

    pair = types.UniTuple(vector, 2)  # type: ignore[no-untyped-call]
    return pair(vector, vector, vector), generate


@intrinsic
def any_bit(typing: Any, value: Any) -> Any:
    """Return whether any bit of a vector is set."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        nonzero = builder.icmp_unsigned("!=", arguments[0], ir.Constant(lanes, None))
        together = builder.bitcast(nonzero, ir.IntType(WORDS))
        return builder.icmp_unsigned("!=", together, ir.IntType(WORDS)(0))

    return types.boolean(vector), generate


@intrinsic
def word_sum(typing: Any, value: Any) -> Any:
    """Return the sum of the words of a vector, uint64."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return call(builder, "llvm.vector.reduce.add.v8i64", word, arguments)

    return types.uint64(vector), generate


@intrinsic
def shift_left(typing: Any, value: Any, amount: Any) -> Any:
    """Return each word shifted left by `amount` bits."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.shl(arguments[0], spread(builder, arguments[1]))

    return vector(vector, types.uint64), generate


def define_operator(symbol: Any, instruction: str) -> None:
    """Make `symbol` apply one LLVM instruction to two vectors, word by word."""

    class Signature(ConcreteTemplate):
        cases = (vector(vector, vector),)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return getattr(builder, instruction)(*arguments)

    infer_global(symbol)(Signature)  # type: ignore[no-untyped-call]
    lower_builtin(symbol, vector, vector)(generate)  # type: ignore[no-untyped-call]


define_operator(operator.and_, "and_")
define_operator(operator.or_, "or_")
define_operator(operator.xor, "xor")
define_operator(operator.add, "add")


@njit(cache=True, nogil=True)
def vectors(count: int) -> np.ndarray:
    """Return zeros for `count` vectors, flat uint64, starting at a multiple of 64 bytes."""
    space = np.zeros((count + 1) * WORDS, np.uint64)
    skip = (-(space.ctypes.data // 8)) % WORDS
    return space[skip : skip + count * WORDS]
