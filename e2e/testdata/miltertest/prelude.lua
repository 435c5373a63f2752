-- What the scripts share. Port is the milter's, on the loopback interface.

function check(ok, what)
	if not ok then
		error(what, 2)
	end
end

-- done checks what a function of mt returned: nil, or an error.
function done(err, what)
	if err ~= nil then
		error((what or "mt") .. ": " .. tostring(err), 2)
	end
end

-- open connects, and negotiates if actions of the MTA are given.
-- QUIRK: miltertest 2.11 writes the actions where the protocol has the steps, and the other way round.
function open(version, actions, steps)
	local conn = mt.connect("inet:" .. port .. "@127.0.0.1", 40, 0.25)
	check(conn ~= nil, "cannot connect to port " .. port)
	if version ~= nil then
		done(mt.negotiate(conn, version, steps, actions), "negotiate")
	end
	wanted(mt.conninfo, conn, "localhost", "127.0.0.1")
	return conn
end

-- wanted calls a function of mt, for a step that the milter may not want to hear of.
function wanted(step, ...)
	local ok, err = pcall(step, ...)
	if not ok or err ~= nil then
		check(tostring(err):find("negotiated", 1, true), tostring(err))
	end
end

-- header sends the envelope and the header of a message.
function header(conn, fields)
	wanted(mt.mailfrom, conn, "<a@example.test>")
	wanted(mt.rcptto, conn, "<u@example.test>")
	wanted(mt.header, conn, "From", "a@example.test")
	wanted(mt.header, conn, "Subject", "test")
	for _, field in ipairs(fields) do
		wanted(mt.header, conn, field[1], field[2])
	end
	wanted(mt.eoh, conn)
end

-- accepted reports whether the milter wants to hear no more of the message.
function accepted(conn)
	return mt.getreply(conn) == SMFIR_ACCEPT
end

-- untouched checks that the milter asks for no change of anything, and takes the message.
function untouched(conn, what)
	local reply = mt.getreply(conn)
	check(reply == SMFIR_ACCEPT or reply == SMFIR_CONTINUE, what .. ": the reply is " .. tostring(reply))
	check(not mt.eom_check(conn, MT_BODYCHANGE), what .. ": the body is changed")
	nothing(conn, what)
end

-- nothing checks that no header field is changed, and that the message does not go to quarantine. (The envelope can be changed only by a milter that
-- has asked for it; see onlychgbody.lua.)
function nothing(conn, what)
	for _, op in ipairs({MT_HDRADD, MT_HDRCHANGE, MT_HDRDELETE, MT_HDRINSERT, MT_QUARANTINE}) do
		check(not mt.eom_check(conn, op), what .. ": more than the body is changed")
	end
end

-- changed checks that the body is replaced by another one, that nothing else is changed, and that the message is taken.
function changed(conn, body, what)
	local reply = mt.getreply(conn)
	check(reply == SMFIR_ACCEPT or reply == SMFIR_CONTINUE, what .. ": the reply is " .. tostring(reply))
	check(mt.eom_check(conn, MT_BODYCHANGE, body), what .. ": the body is not " .. body)
	nothing(conn, what)
end

HTML = {"Content-Type", "text/html; charset=utf-8"}
TEXT = "<p>See http://example.com/x.</p>\r\n"
LINKED = "<p>See <a href=\"http://example.com/x\">http://example.com/x</a>.</p>\r\n"
