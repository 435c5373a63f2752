# SPDX-License-Identifier: MIT

# Runs rinku. ../README.md has the requests and the answers.
$stdout.sync = true
begin
  require "rinku"
rescue LoadError => e
  puts "missing\t#{e.message.lines.first.chomp}"
  exit
end

def now = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)

def read(path)
  text = File.binread(path)
  at = 0
  File.foreach("#{path}.sizes", chomp: true).map do |size|
    document = text.byteslice(at, Integer(size)).force_encoding(Encoding::UTF_8)
    at += Integer(size)
    document
  end
end

puts "ready\t#{Rinku::VERSION}"
documents = []
$stdin.each_line(chomp: true) do |line|
  request, word = line.split("\t")
  case request
  when "read"
    documents = read(word)
    puts "read\t#{documents.size}"
  when "time"
    start = now
    passes = 0
    taken = 0
    until passes > 0 && taken >= Float(word)
      documents.each { |d| Rinku.auto_link(d, :all) }
      passes += 1
      taken = now - start
    end
    puts "time\t#{passes}\t#{taken}"
  when "write"
    out = documents.map { |d| Rinku.auto_link(d, :all).b }
    File.binwrite(word, out.join)
    File.write("#{word}.sizes", out.map { |o| "#{o.bytesize}\n" }.join)
    puts "write"
  else
    raise "unknown request #{request}"
  end
rescue StandardError => e
  puts "error\t#{e.message.lines.first.chomp.tr("\t", " ")}"
end
