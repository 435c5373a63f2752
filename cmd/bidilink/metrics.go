// SPDX-License-Identifier: MIT

//go:build !(386 || arm || mips || mipsle)

package main

import (
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/mailfilter"
	"github.com/bidilink/bidilink/mailfilter/milter"
)

// milterMetrics are what the daemon counts. The values of labels are of closed lists, none is from a message.
type milterMetrics struct {
	registry *prometheus.Registry
	messages *prometheus.CounterVec // by result and reason, the words of the log
	links    *prometheus.CounterVec // by whether they were isolated
	bytes    prometheus.Counter
	seconds  prometheus.Histogram
	troubles prometheus.Counter
	reloads  *prometheus.CounterVec
	stopping atomic.Bool
}

func newMilterMetrics() *milterMetrics {
	counter := func(name, help string) prometheus.CounterOpts {
		return prometheus.CounterOpts{Namespace: "bidilink", Name: name, Help: help}
	}
	m := &milterMetrics{
		registry: prometheus.NewRegistry(),
		messages: prometheus.NewCounterVec(counter("messages_total", "Messages that came to their end, by result and the reason of skipped."), []string{"result", "reason"}),
		links:    prometheus.NewCounterVec(counter("links_total", "Links made, by whether an isolate was put round them."), []string{"isolated"}),
		bytes:    prometheus.NewCounter(counter("bytes_total", "Bytes of the messages, as far as they were needed.")),
		seconds: prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: "bidilink", Name: "processing_seconds", Help: "Time that the mail server waited for us, by message.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}),
		troubles: prometheus.NewCounter(counter("connection_errors_total", "Connections and messages of mail servers that ended in an error.")),
		reloads:  prometheus.NewCounterVec(counter("config_reloads_total", "Times that the configuration was read again."), []string{"result"}),
	}
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Namespace: "bidilink", Name: "build_info", Help: "1, with the versions as labels.",
		ConstLabels: prometheus.Labels{"version": ourVersion(), "unicode": engine.UnicodeVersion},
	})
	info.Set(1)
	m.registry.MustRegister(m.messages, m.links, m.bytes, m.seconds, m.troubles, m.reloads, info, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	// All series are there from the start, so that the first message of a kind is seen as an increase.
	m.messages.WithLabelValues(mailfilter.Modified.String(), "")
	m.messages.WithLabelValues(mailfilter.Unchanged.String(), "")
	for _, r := range mailfilter.Reasons() {
		m.messages.WithLabelValues(mailfilter.Skipped.String(), r.String())
	}
	for _, isolated := range []bool{false, true} {
		m.links.WithLabelValues(strconv.FormatBool(isolated))
	}
	m.reloads.WithLabelValues("ok")
	m.reloads.WithLabelValues("error")
	return m
}

// record counts a message.
func (m *milterMetrics) record(r milter.Record) {
	m.messages.WithLabelValues(r.Result.String(), r.Reason.String()).Inc()
	m.bytes.Add(float64(r.Bytes))
	m.seconds.Observe(r.Busy.Seconds())
	if r.Result == mailfilter.Modified {
		m.links.WithLabelValues("true").Add(float64(r.Isolated))
		m.links.WithLabelValues("false").Add(float64(r.Links - r.Isolated))
	}
}

// watch adds what a server has to do now.
func (m *milterMetrics) watch(s *milter.Server) {
	gauge := func(name, help string, value func(milter.Stats) float64) {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: "bidilink", Name: name, Help: help},
			func() float64 { return value(s.Stats()) }))
	}
	gauge("connections", "Connections of mail servers.", func(s milter.Stats) float64 { return float64(s.Connections) })
	gauge("inflight", "Messages whose body is read or worked on.", func(s milter.Stats) float64 { return float64(s.Messages) })
	gauge("memory_reserved_bytes", "Bytes reserved for messages.", func(s milter.Stats) float64 { return float64(s.Memory) })
	m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Namespace: "bidilink", Name: "panics_total", Help: "Defects of ours that were met; the messages went on as they came."},
		func() float64 { return float64(s.Stats().Panics) }))
	m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Namespace: "bidilink", Name: "connections_refused_total", Help: "Connections of mail servers that were closed, as there were too many."},
		func() float64 { return float64(s.Stats().Refused) }))
}

// handler answers /metrics and /healthz.
func (m *milterMetrics) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4}))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		if m.stopping.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			io.WriteString(w, "stopping\n")
			return
		}
		io.WriteString(w, "ok\n")
	})
	return mux
}

// serve serves the metrics of a daemon, if it is to. What it returns ends that.
func (m *milterMetrics) serve(d *milterDaemon) (func(), error) {
	m.watch(d.server)
	if d.metricsAddr == "" {
		return func() {}, nil
	}
	l, err := net.Listen("tcp", d.metricsAddr)
	if err != nil {
		return nil, cause(err)
	}
	d.log.Info("metrics", "address", l.Addr().String())
	server := &http.Server{
		Handler: m.handler(), ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
		ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError),
	}
	go server.Serve(l)
	return func() { server.Close() }, nil
}
