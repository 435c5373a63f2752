// SPDX-License-Identifier: MIT

package hostname

// Of returns the properties of r; they are 0 for what is no code point.
func Of(r rune) Props {
	if uint32(r) > 0x10ffff {
		return 0
	}
	return Props(blocks[int(blockIndex[r>>blockShift])<<blockShift|int(r&blockMask)])
}
