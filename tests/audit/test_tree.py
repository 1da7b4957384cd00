"""The tree against the standards' own vectors, against itself at random, and byte by byte."""

from collections.abc import Sequence
from hashlib import sha256
from itertools import combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit import tree
from audit.tree import Edge, FullTile, NoteError, PublicKey, SigningKey, Tile

# The example of Certificate Transparency's reference code: eight leaves, and the root at each size.
LEAVES = [
    bytes.fromhex(text)
    for text in (
        *("", "00", "10", "2021", "3031", "40414243"),
        *("5051525354555657", "606162636465666768696a6b6c6d6e6f"),
    )
]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
INCLUSION_0_OF_8 = [
    "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
    "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
    "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
]

HASHES = [tree.leaf_hash(leaf) for leaf in LEAVES]


def subtree(begin: int, end: int) -> bytes:
    return tree.root_of(HASHES[begin:end])


def many(count: int) -> list[bytes]:
    return [sha256(number.to_bytes(4, "big")).digest() for number in range(count)]


# --- Merkle tree --------------------------------------------------------------------------------


@pytest.mark.parametrize("size", range(9))
def test_the_root_of_the_standard_example_is_known_at_every_size(size: int) -> None:
    assert tree.root_of(HASHES[:size]).hex() == ROOTS[size]


def test_the_standard_inclusion_and_consistency_proofs_are_made() -> None:
    proof = tree.inclusion_proof(0, 8, subtree)
    assert [step.hex() for step in proof] == INCLUSION_0_OF_8
    proof = tree.consistency_proof(1, 8, subtree)
    assert [step.hex() for step in proof] == INCLUSION_0_OF_8
    assert tree.consistency_proof(8, 8, subtree) == []


def test_the_example_of_rfc_6962_section_2_1_3() -> None:
    """Seven leaves: the proofs in the RFC's own letters."""
    a, b, c, d, e, f, j = HASHES[:7]
    g, h, i = tree.node_hash(a, b), tree.node_hash(c, d), tree.node_hash(e, f)
    k, m = tree.node_hash(g, h), tree.node_hash(i, j)
    assert tree.inclusion_proof(0, 7, subtree) == [b, h, m]
    assert tree.inclusion_proof(3, 7, subtree) == [c, g, m]
    assert tree.inclusion_proof(4, 7, subtree) == [f, j, k]
    assert tree.inclusion_proof(6, 7, subtree) == [i, k]
    assert tree.consistency_proof(3, 7, subtree) == [c, d, g, m]
    assert tree.consistency_proof(4, 7, subtree) == [m]
    assert tree.consistency_proof(6, 7, subtree) == [i, j, k]


def shaken(proof: Sequence[bytes]) -> list[list[bytes]]:
    """Return a proof wronged in every simple way."""
    flipped = [
        [*proof[:at], bytes([step[0] ^ 1]) + step[1:], *proof[at + 1 :]]
        for at, step in enumerate(proof)
    ]
    return [*flipped, [*proof, HASHES[0]], [HASHES[0], *proof], *([proof[:-1]] if proof else [])]


@pytest.mark.parametrize(("index", "size"), [(i, s) for s in range(1, 9) for i in range(s)])
def test_an_inclusion_proof_proves_one_leaf_at_one_place(index: int, size: int) -> None:
    proof, root = tree.inclusion_proof(index, size, subtree), subtree(0, size)
    assert tree.is_included(HASHES[index], index, size, proof=proof, root=root)
    for other in range(-1, 9):
        if other != index:
            assert not tree.is_included(HASHES[index], other, size, proof=proof, root=root)
    assert not tree.is_included(HASHES[index - 1], index, size, proof=proof, root=HASHES[index])
    for wrong in shaken(proof):
        assert not tree.is_included(HASHES[index], index, size, proof=wrong, root=root)


@pytest.mark.parametrize(("old", "new"), list(combinations_with_replacement(range(9), 2)))
def test_a_consistency_proof_proves_one_pair_of_trees(old: int, new: int) -> None:
    proof = tree.consistency_proof(old, new, subtree)
    roots = {"old_root": subtree(0, old), "new_root": subtree(0, new)}
    assert tree.is_consistent(old, new, proof=proof, **roots)
    for wrong in shaken(proof):
        assert not tree.is_consistent(old, new, proof=wrong, **roots)
    other = sha256(b"another tree").digest()
    for name in roots:
        if old or name == "old_root":  # the empty tree is where every tree begins
            assert not tree.is_consistent(old, new, proof=proof, **roots | {name: other})
    assert old == new or not tree.is_consistent(new, old, proof=proof, **roots)


@pytest.mark.parametrize(("index", "size"), [(0, 0), (-1, 3), (3, 3)])
def test_nothing_is_proven_of_what_is_not_there(index: int, size: int) -> None:
    with pytest.raises(ValueError, match="no leaf"):
        tree.inclusion_proof(index, size, subtree)
    with pytest.raises(ValueError, match="no beginning"):
        tree.consistency_proof(size + 1, size, subtree)


# --- Tiles --------------------------------------------------------------------------------------


def kept(leaves: list[bytes], filled: list[FullTile]) -> tree.tiles.Hashes:
    """Return how hashes are found among leaves and the roots of full tiles."""
    roots = {(tile.level + 1, tile.index): tile.root for tile in filled}

    def hashes(level: int, begin: int, end: int) -> list[bytes]:
        if level == 0:
            return leaves[begin:end]
        return [roots[level, index] for index in range(begin, end)]

    return hashes


@given(st.lists(st.integers(0, 700), max_size=5))
def test_a_tree_grown_in_any_steps_is_the_tree(steps: list[int]) -> None:
    leaves = many(sum(steps))
    edge, filled, done = Edge(), list[FullTile](), 0
    for step in steps:
        edge, more = tree.grow(edge, leaves[done : done + step])
        filled += more
        done += step
    assert (edge.size, edge.root) == (len(leaves), tree.root_of(leaves))
    assert edge == tree.edge_of(len(leaves), kept(leaves, filled))
    assert len(filled) == len(leaves) // 256
    for tile in filled:
        assert tile.root == tree.root_of(leaves[tile.index * 256 :][:256])


def test_a_tree_of_three_levels_proves_out_of_its_tiles() -> None:
    leaves = many(66_000)
    edge, filled = tree.grow(Edge(), leaves)
    assert [tile.level for tile in filled].count(1) == 1
    found = tree.subtree_of(kept(leaves, filled))
    for index in (0, 255, 256, 65_535, 65_536, 65_999):
        proof = tree.inclusion_proof(index, edge.size, found)
        assert tree.is_included(leaves[index], index, edge.size, proof=proof, root=edge.root)
    for old in (1, 256, 65_536, 65_537, 65_999):
        proof = tree.consistency_proof(old, edge.size, found)
        roots = {"old_root": tree.root_of(leaves[:old]), "new_root": edge.root}
        assert tree.is_consistent(old, edge.size, proof=proof, **roots)


@given(st.integers(1, 600), st.data())
def test_proofs_out_of_tiles_are_proofs_out_of_leaves(size: int, data: st.DataObject) -> None:
    leaves = many(size)
    _, filled = tree.grow(Edge(), leaves)
    found = tree.subtree_of(kept(leaves, filled))

    def plain(begin: int, end: int) -> bytes:
        return tree.root_of(leaves[begin:end])

    index, old = data.draw(st.integers(0, size - 1)), data.draw(st.integers(0, size))
    assert tree.inclusion_proof(index, size, found) == tree.inclusion_proof(index, size, plain)
    assert tree.consistency_proof(old, size, found) == tree.consistency_proof(old, size, plain)


@pytest.mark.parametrize(
    ("tile", "path"),
    [
        (Tile(0, 0), "0/000"),
        (Tile(0, 999, 255), "0/999.p/255"),
        (Tile(1, 1000, 1), "1/x001/000.p/1"),
        (Tile(63, 1234067), "63/x001/x234/067"),
        (Tile(None, 5, 7), "entries/005.p/7"),
    ],
)
def test_a_tile_has_the_one_path_of_the_standard(tile: Tile, path: str) -> None:
    assert tile.path == path
    assert tree.parse_tile(path) == tile


@pytest.mark.parametrize(
    "path",
    [
        *("", "0", "0/", "0/0", "0/0000", "00/000", "64/000", "-1/000", "0/x000/000", "0/001/000"),
        *(
            "0/x001/x000",
            "0/000.p/0",
            "0/000.p/256",
            "0/000.p/01",
            "0/000.p/",
            "0/\u0660\u0660\u0660",
            "0/000/",
        ),
        *("data/000", "entries/x000/001", "0/000\n", "../000"),
    ],
)
def test_no_other_path_is_a_tile(path: str) -> None:
    assert tree.parse_tile(path) is None


def test_a_tree_of_70_000_has_the_tiles_of_the_standards_example() -> None:
    present = [
        *(Tile(0, 272), Tile(0, 273, 112), Tile(1, 0), Tile(1, 1, 17), Tile(2, 0, 1)),
        *(Tile(None, 272), Tile(None, 273, 112)),
    ]
    absent = [
        *(Tile(0, 273), Tile(0, 273, 113), Tile(1, 1, 18), Tile(2, 0, 2), Tile(3, 0, 1)),
        *(Tile(None, 273), Tile(63, 0)),
    ]
    assert [tile for tile in present if not tile.is_in(70_000)] == []
    assert [tile for tile in absent if tile.is_in(70_000)] == []


@given(st.lists(st.binary(max_size=300), max_size=10))
def test_a_bundle_holds_entries_and_is_whole_or_refused(entries: list[bytes]) -> None:
    bundle = tree.format_bundle(entries)
    assert tree.parse_bundle(bundle) == entries
    if bundle:
        with pytest.raises(ValueError, match="cut short"):
            tree.parse_bundle(bundle + b"\x00")
        with pytest.raises(ValueError, match="cut short"):
            tree.parse_bundle(bundle + b"\x00\x05abcd")


# --- Notes and checkpoints ----------------------------------------------------------------------

OURS = SigningKey("casino.example/log", bytes(range(32)))
NEXT = SigningKey("casino.example/log", bytes(range(1, 33)))
STRANGER = SigningKey("witness.example", bytes(32))
CHECKPOINT = tree.Checkpoint("casino.example/log", 8, bytes.fromhex(ROOTS[8]))
NOTE = tree.sign_checkpoint(CHECKPOINT, [OURS], at=1_700_000_000)


def test_the_note_that_go_signs_and_its_key_are_read() -> None:
    """Source: golang.org/x/mod/sumdb/note, the example of its documentation."""
    key = PublicKey.parse("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")
    text = (
        "If you think cryptography is the answer to your problem,\n"
        "then you don't know what your problem is.\n"
    )
    signature = (
        "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN"
        "1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="
    )
    note = tree.parse_note(f"{text}\n— PeterNeumann {signature}\n")
    assert (note.text, tree.signers(note, [key])) == (text, [(key, 0)])


def test_a_checkpoint_is_text_that_the_log_signed_with_the_time() -> None:
    assert NOTE.splitlines()[:4] == [
        "casino.example/log", "8", "XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=", ""
    ]  # fmt: skip
    opened = tree.open_checkpoint(NOTE, [OURS.public, STRANGER.public])
    assert opened == (CHECKPOINT, frozenset({OURS.public}), 1_700_000_000)
    assert tree.format_note(tree.parse_note(NOTE)) == NOTE


def test_two_keys_sign_a_rotation_and_each_alone_opens_it() -> None:
    both = tree.sign_checkpoint(CHECKPOINT, [NEXT, OURS], at=1_700_000_000)
    for keys in ({OURS.public}, {NEXT.public}, {OURS.public, NEXT.public}):
        assert tree.open_checkpoint(both, keys).keys == keys
    assert OURS.public.id_for(1) != NEXT.public.id_for(1)


def test_a_line_of_a_stranger_changes_nothing() -> None:
    cosigned = NOTE + tree.sign_checkpoint(CHECKPOINT, [STRANGER], at=5).rpartition("\n\n")[2]
    assert tree.open_checkpoint(cosigned, [OURS.public]).at == 1_700_000_000
    with pytest.raises(NoteError):
        tree.open_checkpoint(cosigned, [STRANGER.public])  # a witness is not the log


def test_no_byte_of_a_checkpoint_can_change() -> None:
    raw = NOTE.encode()
    for at in range(len(raw)):
        for flip in (0x01, 0x20, 0x80):
            changed = raw[:at] + bytes([raw[at] ^ flip]) + raw[at + 1 :]
            assert not opens_whole(changed), (at, changed)


def opens_whole(raw: bytes) -> bool:
    """Say whether a note opens with both lines of the log's key still counting."""
    try:
        text = raw.decode()
        tree.open_checkpoint(text, [OURS.public])
        return len(tree.signers(tree.parse_note(text), [OURS.public])) == 2
    except ValueError:
        return False


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no signatures\n",
        "text\n\n- casino.example/log AAAAAAA=\n",
        "text\n\n— casino.example/log AAAA\n",
        "text\n\n— two words AAAAAAA=\n",
        "text\n\n— a+b AAAAAAA=\n",
        "text\n\n— casino.example/log AAAAAAB=\n",
        "text\n\n— casino.example/log AAAAAAA=",
        "te\tx\x01t\n\n— casino.example/log AAAAAAA=\n",
        "text\n\n" + "— casino.example/log AAAAAAA=\n" * 65,
    ],
)
def test_what_is_no_note_is_refused(text: str) -> None:
    with pytest.raises(NoteError):
        tree.parse_note(text)


@pytest.mark.parametrize(
    "text",
    [
        "o\n08\nXcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=\n",
        "o\n8\nXcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyh=\n",
        "o\n8\nXcna\n",
        "o\n8\nXcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=\nmore\n",
        "\n8\nXcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=\n",
    ],
)
def test_what_is_no_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(NoteError):
        tree.parse_checkpoint(text)


@pytest.mark.parametrize("text", ["", "AAAA", "not base64", "A" * 43, "A" * 44])
def test_what_is_no_signing_key_is_refused(text: str) -> None:
    with pytest.raises(NoteError):
        SigningKey.parse("casino.example/log", text)


def test_a_verifier_key_is_read_as_it_is_written_and_no_byte_of_it_can_change() -> None:
    text = str(OURS.public)
    assert PublicKey.parse(text) == OURS.public
    for at in range(len(text)):
        changed = text[:at] + ("b" if text[at] == "a" else "a") + text[at + 1 :]
        with pytest.raises(NoteError):
            PublicKey.parse(changed)


def test_a_proof_file_is_that_of_the_standard() -> None:
    proof = tree.inclusion_proof(0, 8, subtree)
    head, _, checkpoint = tree.format_proof(0, proof, NOTE).partition("\n\n")
    assert checkpoint == NOTE
    assert head.splitlines()[:2] == ["c2sp.org/tlog-proof@v1", "index 0"]
    assert len(head.splitlines()) == 5
