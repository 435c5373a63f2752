// SPDX-License-Identifier: MIT

//go:build linux

package mta

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"
)

// A Client talks SMTP (RFC 5321). It sends the bytes that it is given and no others.
type Client struct {
	conn net.Conn
	r    *bufio.Reader
	w    *bufio.Writer
	// Extensions are the lines of the answer to EHLO but for the first, as "SIZE 52428800".
	Extensions []string
}

// A Reply is the answer to a command that was not the expected one.
type Reply struct {
	Command, Line string // the last line of the answer
}

func (r *Reply) Error() string { return fmt.Sprintf("%s: the answer is %q", r.Command, r.Line) }

// Dial connects to a server, "127.0.0.1:25", and says EHLO.
func Dial(address string) (*Client, error) {
	conn, err := net.Dial("tcp4", address)
	if err != nil {
		return nil, err
	}
	c := &Client{conn: conn, r: bufio.NewReader(conn), w: bufio.NewWriter(conn)}
	if _, err := c.reply("the connection", "220"); err != nil {
		conn.Close()
		return nil, err
	}
	lines, err := c.Command("250", "EHLO client.example.test")
	if err != nil {
		conn.Close()
		return nil, err
	}
	c.Extensions = lines[1:]
	return c, nil
}

// Has reports whether the server has an extension, "CHUNKING".
func (c *Client) Has(extension string) bool {
	return slices.ContainsFunc(c.Extensions, func(s string) bool {
		name, _, _ := strings.Cut(s, " ")
		return name == extension
	})
}

// Command sends a line, and returns the lines of the answer without their code, which has to be the given one.
func (c *Client) Command(code, line string) ([]string, error) {
	c.w.WriteString(line + "\r\n")
	return c.reply(line, code)
}

// reply reads an answer to what has been written.
func (c *Client) reply(command, code string) ([]string, error) {
	c.conn.SetDeadline(time.Now().Add(Patience))
	if err := c.w.Flush(); err != nil {
		return nil, fmt.Errorf("%s: %w", command, err)
	}
	var lines []string
	for {
		line, err := c.r.ReadString('\n')
		if err != nil {
			return nil, fmt.Errorf("%s: %w", command, err)
		}
		line = strings.TrimRight(line, "\r\n")
		if len(line) < 4 {
			line += "    "
		}
		lines = append(lines, line[4:])
		if line[3] == '-' {
			continue
		}
		if line[:3] != code {
			return nil, &Reply{command, line}
		}
		return lines, nil
	}
}

// mail sends MAIL and RCPT.
func (c *Client) mail(from, to string, parameters []string) error {
	if _, err := c.Command("250", strings.TrimRight("MAIL FROM:<"+from+"> "+strings.Join(parameters, " "), " ")); err != nil {
		return err
	}
	_, err := c.Command("250", "RCPT TO:<"+to+">")
	return err
}

// Send sends a message by DATA. Its line ends are CRLF, also that of its last line. The parameters are those of MAIL FROM, such as "SMTPUTF8".
func (c *Client) Send(from, to string, msg []byte, parameters ...string) error {
	if !bytes.HasSuffix(msg, []byte("\r\n")) {
		return fmt.Errorf("the message does not end with CRLF: %q", msg[max(0, len(msg)-20):])
	}
	if err := c.mail(from, to, parameters); err != nil {
		return err
	}
	if _, err := c.Command("354", "DATA"); err != nil {
		return err
	}
	// RFC 5321 §4.5.2: a dot at the beginning of a line is doubled.
	for line := range bytes.Lines(msg) {
		if line[0] == '.' {
			c.w.WriteByte('.')
		}
		c.w.Write(line)
	}
	_, err := c.Command("250", ".")
	return err
}

// SendChunks sends a message by BDAT (RFC 3030), one for each chunk.
func (c *Client) SendChunks(from, to string, chunks [][]byte, parameters ...string) error {
	if err := c.mail(from, to, parameters); err != nil {
		return err
	}
	for i, chunk := range chunks {
		command := fmt.Sprintf("BDAT %d", len(chunk))
		if i == len(chunks)-1 {
			command += " LAST"
		}
		c.w.WriteString(command + "\r\n")
		c.w.Write(chunk)
		if _, err := c.reply(command, "250"); err != nil {
			return err
		}
	}
	return nil
}

// Close says QUIT.
func (c *Client) Close() error {
	_, err := c.Command("221", "QUIT")
	if cerr := c.conn.Close(); err == nil {
		err = cerr
	}
	return err
}

// Send sends one message over a connection of its own.
func Send(address, from, to string, msg []byte, parameters ...string) error {
	c, err := Dial(address)
	if err != nil {
		return err
	}
	if err := c.Send(from, to, msg, parameters...); err != nil {
		c.conn.Close()
		return err
	}
	return c.Close()
}
