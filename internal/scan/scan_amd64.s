// SPDX-License-Identifier: MIT

//go:build amd64 && !purego

#include "textflag.h"

// Nothing is checked here: both functions read whole vectors, at unaligned addresses, from where the caller says that text is.

// Sizes in bytes, as in doc.go: WINDOW is Block+Ahead, what Triggers reads for a block, since the two bytes after the last of the block decide
// about that one, too.
#define BLOCK 64
#define WINDOW 66

// The bytes that are compared with, for VPBROADCASTB.
DATA  bytes<>+0(SB)/1, $'.'
DATA  bytes<>+1(SB)/1, $'-'
DATA  bytes<>+2(SB)/1, $0x80
DATA  bytes<>+3(SB)/1, $0x82
DATA  bytes<>+4(SB)/1, $0xBC
DATA  bytes<>+5(SB)/1, $0x8E
DATA  bytes<>+6(SB)/1, $0xBD
DATA  bytes<>+7(SB)/1, $0xA1
DATA  bytes<>+8(SB)/1, $'/'
DATA  bytes<>+9(SB)/1, $'['
DATA  bytes<>+10(SB)/1, $0x20
DATA  bytes<>+11(SB)/1, $'a'
DATA  bytes<>+12(SB)/1, $25 // 'z' - 'a'
DATA  bytes<>+13(SB)/1, $12 // '9' - '-'
DATA  bytes<>+14(SB)/2, $0
GLOBL bytes<>(SB), RODATA|NOPTR, $16

// The lead bytes of the ideographic dots, as vectors in memory: no register is left for them.
DATA  leads<>+0(SB)/8, $0xE3E3E3E3E3E3E3E3
DATA  leads<>+8(SB)/8, $0xE3E3E3E3E3E3E3E3
DATA  leads<>+16(SB)/8, $0xE3E3E3E3E3E3E3E3
DATA  leads<>+24(SB)/8, $0xE3E3E3E3E3E3E3E3
DATA  leads<>+32(SB)/8, $0xEFEFEFEFEFEFEFEF
DATA  leads<>+40(SB)/8, $0xEFEFEFEFEFEFEFEF
DATA  leads<>+48(SB)/8, $0xEFEFEFEFEFEFEFEF
DATA  leads<>+56(SB)/8, $0xEFEFEFEFEFEFEFEF
GLOBL leads<>(SB), RODATA|NOPTR, $64

// HITS sets the bytes of hits where a trigger begins in the 32 bytes from off on. It reads R8, CX and Y0 to Y9, and changes Y10 to Y13 and hits.
//
//   - "." and at least "-" behind it. Blanks, quotes and brackets, with which a sentence goes on after its full stop, are less than "-".
//   - "/" and "[", the end of "://[". The engine looks at what stands before.
//   - all three bytes of U+3002 (E3 80 82), U+FF0E (EF BC 8E) and U+FF61 (EF BD A1). Letters that are common in other scripts end in two
//     of these (U+1002 is E1 80 82, U+0F61 is E0 BD A1), and texts in those would be stopped at in every block.
#define HITS(off, hits) \
	VMOVDQU  (off+1)(R8)(CX*1), Y11     \
	VMOVDQU  (off+2)(R8)(CX*1), Y12     \
	VPCMPEQB Y4, Y11, Y10               \ // BC 8E
	VPCMPEQB Y5, Y12, Y13               \
	VPAND    Y13, Y10, hits             \
	VPCMPEQB Y6, Y11, Y10               \ // or BD A1
	VPCMPEQB Y7, Y12, Y13               \
	VPAND    Y13, Y10, Y10              \
	VPOR     Y10, hits, hits            \
	VPCMPEQB Y3, Y12, Y13               \ // 80 82
	VPCMPEQB Y2, Y11, Y12               \
	VPAND    Y13, Y12, Y12              \
	VMOVDQU  off(R8)(CX*1), Y10         \
	VPCMPEQB leads<>+32(SB), Y10, Y13   \ // behind EF
	VPAND    Y13, hits, hits            \
	VPCMPEQB leads<>+0(SB), Y10, Y13    \ // behind E3
	VPAND    Y13, Y12, Y12              \
	VPOR     Y12, hits, hits            \
	VPCMPEQB Y8, Y10, Y12               \ // "/" and "["
	VPCMPEQB Y9, Y11, Y13               \
	VPAND    Y13, Y12, Y12              \
	VPOR     Y12, hits, hits            \
	VPCMPEQB Y0, Y10, Y10               \ // a full stop
	VPMAXUB  Y1, Y11, Y13               \
	VPCMPEQB Y11, Y13, Y13              \ // and "-" or more
	VPAND    Y13, Y10, Y10              \
	VPOR     Y10, hits, hits

// func Triggers(b []byte, i int) (block int, hits uint64)
//
// Precondition: len(b) >= WINDOW and i >= 0. The first keeps R9 from being negative; CX is never greater than R9, so the loads end at the end
// of b at the latest. The second keeps CX from being negative. Without them, the loads lie before b.
//
//	R8       where b begins
//	R9       where the last block begins, from R8
//	CX       where the block begins that is looked at, from R8
//	AX, BX   the bits of its halves; BX is 0 until a trigger is found
//	DX       the block before
//	Y0-Y9    what is compared with
//	Y10-Y13  changed by HITS
//	Y14, Y15 the triggers of the halves
TEXT ·Triggers(SB), NOSPLIT, $0-48
	MOVQ b_base+0(FP), R8
	MOVQ b_len+8(FP), R9
	MOVQ i+24(FP), CX
	XORL BX, BX
	SUBQ $WINDOW, R9 // where the last block begins
	CMPQ CX, R9
	CMOVQGT R9, CX
	VPBROADCASTB bytes<>+0(SB), Y0
	VPBROADCASTB bytes<>+1(SB), Y1
	VPBROADCASTB bytes<>+2(SB), Y2
	VPBROADCASTB bytes<>+3(SB), Y3
	VPBROADCASTB bytes<>+4(SB), Y4
	VPBROADCASTB bytes<>+5(SB), Y5
	VPBROADCASTB bytes<>+6(SB), Y6
	VPBROADCASTB bytes<>+7(SB), Y7
	VPBROADCASTB bytes<>+8(SB), Y8
	VPBROADCASTB bytes<>+9(SB), Y9

loop:
	HITS(0, Y14)
	HITS(32, Y15)
	VPOR      Y14, Y15, Y10
	VPMOVMSKB Y10, AX
	TESTL     AX, AX
	JNZ       found
	ADDQ      $BLOCK, CX
	CMPQ      CX, R9
	JLE       loop
	LEAQ      -BLOCK(CX), DX
	CMPQ      DX, R9
	MOVQ      R9, CX
	JLT       loop // the last block overlaps the one before
	VZEROUPPER
	JMP       done

found:
	VPMOVMSKB Y14, AX
	VPMOVMSKB Y15, BX
	SHLQ      $32, BX
	ORQ       AX, BX
	VZEROUPPER

done:
	MOVQ CX, block+32(FP)
	MOVQ BX, hits+40(FP)
	RET

// PART sets the bytes of part, dots and hyphens for the 32 bytes from off on. It reads R8, CX and Y0 to Y6, and changes Y10 to Y12 and its results.
#define PART(off, part, dots, hyphens) \
	VMOVDQU  off(R8)(CX*1), Y10   \
	VPOR     Y0, Y10, Y11         \ // in lower case, less 'a', is at most 25
	VPSUBB   Y1, Y11, Y11         \
	VPMINUB  Y2, Y11, Y12         \
	VPCMPEQB Y11, Y12, part       \
	VPSUBB   Y3, Y10, Y11         \ // less '-', is at most 12, and no slash
	VPMINUB  Y4, Y11, Y12         \
	VPCMPEQB Y11, Y12, Y12        \
	VPCMPEQB Y5, Y10, Y11         \
	VPANDN   Y12, Y11, Y12        \
	VPOR     Y12, part, part      \
	VPCMPEQB Y6, Y10, dots        \
	VPCMPEQB Y3, Y10, hyphens

// BITS moves a bit of each byte of low and high to out. It changes AX, BX and the flags.
#define BITS(low, high, out) \
	VPMOVMSKB low, AX    \
	VPMOVMSKB high, BX   \
	SHLQ      $32, BX    \
	ORQ       AX, BX     \
	MOVQ      BX, out

// func Host(b []byte, i int) (part, dots, hyphens uint64)
//
// Precondition: 0 <= i <= len(b)-BLOCK. The loads are the BLOCK bytes from i on; the length is not even read.
//
//	R8                     where b begins
//	CX                     i
//	AX, BX                 changed by BITS
//	Y0-Y6                  what is compared with
//	Y10-Y12                changed by PART
//	Y7-Y9 and Y13-Y15      the results of the halves
TEXT ·Host(SB), NOSPLIT, $0-56
	MOVQ b_base+0(FP), R8
	MOVQ i+24(FP), CX
	VPBROADCASTB bytes<>+10(SB), Y0
	VPBROADCASTB bytes<>+11(SB), Y1
	VPBROADCASTB bytes<>+12(SB), Y2
	VPBROADCASTB bytes<>+1(SB), Y3
	VPBROADCASTB bytes<>+13(SB), Y4
	VPBROADCASTB bytes<>+8(SB), Y5
	VPBROADCASTB bytes<>+0(SB), Y6
	PART(0, Y7, Y8, Y9)
	PART(32, Y13, Y14, Y15)
	BITS(Y7, Y13, part+32(FP))
	BITS(Y8, Y14, dots+40(FP))
	BITS(Y9, Y15, hyphens+48(FP))
	VZEROUPPER
	RET
