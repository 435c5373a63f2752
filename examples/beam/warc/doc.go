// SPDX-License-Identifier: MIT

// Package warc reads the records of WARC files (ISO 28500, WARC 1.0 and 1.1) without changing a byte of them, and makes records of type conversion.
//
// A file is a sequence of records; in a compressed one, each record is a gzip member (WARC 1.1, the annex on compression). The reader takes memory for one record, up to a
// limit, and time in proportion to the length of the file, whatever is in it. What is no record it gives out as well, with the cause and from where to where it goes, and it goes on with the next record: the records
// and what is between them are the whole file.
package warc
