// SPDX-License-Identifier: MIT

//go:build amd64 && !purego

#include "textflag.h"

// The bytes that are compared with.
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

// HITS sets the bytes of hits where a trigger begins in the 32 bytes from off on.
#define HITS(off, hits) \
	VMOVDQU  off(R8)(CX*1), Y10     \
	VMOVDQU  (off+1)(R8)(CX*1), Y11 \
	VMOVDQU  (off+2)(R8)(CX*1), Y12 \
	VPCMPEQB Y0, Y10, hits          \ // a full stop,
	VPMAXUB  Y1, Y11, Y13           \
	VPCMPEQB Y11, Y13, Y13          \ // and "-" or more
	VPAND    Y13, hits, hits        \
	VPCMPEQB Y8, Y10, Y10           \ // "/" and "["
	VPCMPEQB Y9, Y11, Y13           \
	VPAND    Y13, Y10, Y10          \
	VPOR     Y10, hits, hits        \
	VPCMPEQB Y2, Y11, Y10           \ // 80 82
	VPCMPEQB Y3, Y12, Y13           \
	VPAND    Y13, Y10, Y10          \
	VPOR     Y10, hits, hits        \
	VPCMPEQB Y4, Y11, Y10           \ // BC 8E
	VPCMPEQB Y5, Y12, Y13           \
	VPAND    Y13, Y10, Y10          \
	VPOR     Y10, hits, hits        \
	VPCMPEQB Y6, Y11, Y10           \ // BD A1
	VPCMPEQB Y7, Y12, Y13           \
	VPAND    Y13, Y10, Y10          \
	VPOR     Y10, hits, hits

// func Triggers(b []byte, i int) (block int, hits uint64)
TEXT ·Triggers(SB), NOSPLIT, $0-48
	MOVQ b_base+0(FP), R8
	MOVQ b_len+8(FP), R9
	MOVQ i+24(FP), CX
	XORL BX, BX
	SUBQ $66, R9 // where the last block begins
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
	ADDQ      $64, CX
	CMPQ      CX, R9
	JLE       loop
	LEAQ      -64(CX), DX
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

// PART sets the bytes of part, dots and hyphens for the 32 bytes from off on.
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

// BITS moves a bit of each byte of low and high to out.
#define BITS(low, high, out) \
	VPMOVMSKB low, AX    \
	VPMOVMSKB high, BX   \
	SHLQ      $32, BX    \
	ORQ       AX, BX     \
	MOVQ      BX, out

// func Host(b []byte, i int) (part, dots, hyphens uint64)
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
