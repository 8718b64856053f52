import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from evenrank.arrays import BLOCK
from evenrank.codes import Codes
from evenrank.kernels.reference import distances


@st.composite
def bit_rows(draw):
    rows, bits = draw(st.integers(1, 6)), draw(st.integers(1, 70))
    return draw(hnp.arrays(np.uint8, (rows, bits), elements=st.integers(0, 1)))


@given(bit_rows(), st.sampled_from(["big", "little"]))
def test_any_width_and_order_unpacks_to_what_was_packed(bits, order):
    codes = Codes(np.packbits(bits, axis=1, bitorder=order), bits.shape[1], order)
    assert codes.shape == bits.shape
    np.testing.assert_array_equal(codes.unpack(), bits)
    np.testing.assert_array_equal(codes.signs(), 2 * bits.astype(int) - 1)
    np.testing.assert_array_equal(codes.bytes(), np.packbits(bits, axis=1))


@given(bit_rows(), st.sampled_from(["big", "little"]), st.integers(0, 255))
def test_dirty_padding_and_order_never_change_a_distance(bits, order, dirt):
    width = bits.shape[1]
    packed = np.packbits(bits, axis=1, bitorder=order)
    padding = np.packbits(np.arange(8 * packed.shape[1])[None] >= width, axis=1, bitorder=order)[0, -1]
    packed[:, -1] |= padding & dirt
    before = packed.copy()
    codes = Codes(packed, width, order)
    clean = Codes.from_bits(bits)
    expected = (bits[:, None] != bits[None]).sum(axis=2)
    np.testing.assert_array_equal(distances(codes.bytes()[:, None], clean.bytes()[None]), expected)
    np.testing.assert_array_equal(codes.unpack(), bits)
    np.testing.assert_array_equal(packed, before)  # cleaned in a copy, not in the user's array


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.float16, np.float32, np.float64])
def test_a_bit_is_one_iff_the_value_is_above_zero(dtype):
    assert Codes.from_signs(np.array([[-1, 0, 1], [2, -0.0, -3]], dtype)).unpack().tolist() == [[0, 0, 1], [1, 0, 0]]


def test_from_bits_takes_booleans_integers_and_lists():
    wanted = [[1, 0, 1]]
    for values in (wanted, np.array(wanted, bool), np.array(wanted, np.uint8), np.array(wanted, np.float32)):
        assert Codes.from_bits(values).unpack().tolist() == wanted


def test_packing_goes_on_across_row_blocks():
    rows = BLOCK // 4096 + 3  # more than one block of rows at 4,096 columns
    values = np.where(np.arange(rows)[:, None] % 7 == np.arange(4096) % 7, np.float16(1), np.float16(-1))
    np.testing.assert_array_equal(Codes.from_signs(values).unpack(), values > 0)
    values[-1, 5] = np.nan
    with pytest.raises(ValueError, match=f"row {rows - 1} "):
        Codes.from_signs(values)


def test_int8_bytes_are_those_of_sentence_transformers():
    values = np.random.default_rng(0).normal(size=(5, 24))
    written = (np.packbits(values > 0, axis=1).astype(np.int16) - 128).astype(np.int8)
    np.testing.assert_array_equal(Codes.from_packed(written).unpack(), values > 0)


def test_packed_arrays_maps_and_tensors_are_viewed(tmp_path):
    torch = pytest.importorskip("torch")
    packed = np.arange(12, dtype=np.uint8).reshape(4, 3)
    np.save(tmp_path / "packed.npy", packed)
    mapped = Codes.from_file(tmp_path / "packed.npy", form="packed")
    assert isinstance(mapped.packed, np.memmap)
    assert np.shares_memory(mapped.bytes(1, 3), mapped.packed)
    tensor = torch.from_numpy(packed)
    for given_packed in (packed, tensor):
        codes = Codes.from_packed(given_packed)
        assert (len(codes), codes.bits) == (4, 24)
        assert np.shares_memory(codes.packed, packed)
        assert np.shares_memory(codes.bytes(1, 3), packed)
        assert type(codes.bytes()) is np.ndarray


def test_bytes_are_contiguous_whatever_the_layout():
    packed = np.asfortranarray(np.arange(12, dtype=np.uint8).reshape(4, 3))
    rows = Codes(packed, 24).bytes(1, 4)
    assert rows.flags.c_contiguous
    np.testing.assert_array_equal(rows, packed[1:4])


@pytest.mark.parametrize(
    "rows", [slice(1, 3), [2, 0, 2], np.array([True, False, True, False]), 2, np.int64(2), -1], ids=str
)
def test_selected_rows_keep_bits_and_order(rows):
    bits = np.random.default_rng(1).integers(0, 2, (4, 11))
    codes = Codes(np.packbits(bits, axis=1, bitorder="little"), 11, "little")[rows]
    assert (codes.bits, codes.order) == (11, "little")
    np.testing.assert_array_equal(codes.unpack(), np.atleast_2d(bits[rows]))


def test_repr_says_rows_bits_and_an_unusual_order():
    packed = np.zeros((2, 2), np.uint8)
    assert repr(Codes(packed, 12)) == "Codes(2 rows of 12 bits)"
    assert repr(Codes(packed, 12, "little")) == "Codes(2 rows of 12 bits, order little)"


@settings(max_examples=20)
@given(bit_rows())
def test_forms_of_a_file_agree(tmp_path_factory, bits):
    folder = tmp_path_factory.mktemp("codes")
    signs = 2.0 * bits - 1
    np.save(folder / "signs.npy", signs)
    np.savez(folder / "many.npz", bits=bits, packed=np.packbits(bits, axis=1, bitorder="little"))
    width = bits.shape[1]
    read = [
        Codes.from_file(folder / "signs.npy", form="signs", bits=width),
        Codes.from_file(folder / "many.npz", form="bits", key="bits"),
        Codes.from_file(folder / "many.npz", form="packed", key="packed", bits=width, order="little"),
    ]
    for codes in read:
        np.testing.assert_array_equal(codes.unpack(), bits)


BYTES = np.zeros((2, 2), np.uint8)


@pytest.mark.parametrize(
    ("make", "line"),
    [
        (lambda: Codes(BYTES, 17), r"3 bytes a row for 17 bits; got shape \(2, 2\)"),
        (lambda: Codes(BYTES, 8), "1 bytes a row for 8 bits"),
        (lambda: Codes(BYTES, 0), "from 1 to 4096; got 0"),
        (lambda: Codes(np.zeros((1, 513), np.uint8), 4097), "from 1 to 4096; got 4097"),
        (lambda: Codes(BYTES, 12.0), r"from 1 to 4096; got 12\.0"),
        (lambda: Codes(BYTES, True), "from 1 to 4096; got True"),
        (lambda: Codes(BYTES[0], 16), r"must be 2-D.*\(2,\)"),
        (lambda: Codes(BYTES[:0], 16), r"must not be empty; got shape \(0, 2\)"),
        (lambda: Codes(BYTES.astype(np.int64), 16), "must be uint8; got int64"),
        (lambda: Codes(BYTES, 16, "middle"), "one of big, little; got 'middle'"),
        (lambda: Codes.from_packed(BYTES.astype(np.float32)), "must be uint8; got float32"),
        (lambda: Codes.from_signs(np.zeros((3, 0))), "must not be empty"),
        (lambda: Codes.from_signs(np.ones((1, 4097))), "got 4097"),
        (lambda: Codes.from_signs([[1, 2], [np.nan, 1]]), "row 1 has one"),
        (lambda: Codes.from_signs([["a"]]), "real numbers; got <U1"),
        (lambda: Codes.from_signs([[1, 2], [1]]), "values of Codes.from_signs must be a numpy array"),
        (lambda: Codes.from_bits([[0, 1], [1, -1]]), "0 or 1; got -1 in row 1: .* use Codes.from_signs"),
        (lambda: Codes.from_bits([[0, 0.5]]), r"got 0\.5 in row 0"),
        (lambda: Codes.from_file("x.npy", form="sign"), "one of signs, bits, packed; got 'sign'"),
    ],
)
def test_bad_input_is_one_clear_line(make, line):
    with pytest.raises(ValueError, match=line) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_a_tensor_elsewhere_is_refused():
    torch = pytest.importorskip("torch")
    with pytest.raises(ValueError, match="packed of Codes must be on the CPU; got a tensor on meta"):
        Codes(torch.zeros((2, 2), dtype=torch.uint8, device="meta"), 16)


def test_errors_in_files_name_the_file(tmp_path):
    np.save(tmp_path / "a.npy", np.array([[1.0, np.nan]]))
    with pytest.raises(ValueError, match=r"a\.npy: values of Codes must not be NaN; row 0"):
        Codes.from_file(tmp_path / "a.npy", form="signs")
    np.save(tmp_path / "b.npy", np.ones((2, 3)))
    with pytest.raises(ValueError, match=r"b\.npy: bits must be the 3 columns of the array; got 4"):
        Codes.from_file(tmp_path / "b.npy", form="signs", bits=4)
