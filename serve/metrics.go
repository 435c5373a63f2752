// SPDX-License-Identifier: MIT

package serve

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are what /metrics tells. The label path has only known values, so that clients cannot make more of them.
type metrics struct {
	requests *prometheus.CounterVec   // by path and status
	seconds  *prometheus.HistogramVec // by path
	bytes    *prometheus.CounterVec   // of bodies, by path
	links    *prometheus.CounterVec   // made or listed, by path
	late     *prometheus.CounterVec   // not done within Timeout, by path
	refused  prometheus.Counter       // because of MaxAtOnce
	panics   prometheus.Counter
	now      prometheus.Gauge // operations that are worked on
	answer   http.Handler
}

func newMetrics() *metrics {
	opts := func(name, help string) prometheus.Opts {
		return prometheus.Opts{Namespace: "bidilink", Name: name, Help: help}
	}
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts(opts("http_requests_total", "Requests answered, by path and status.")), []string{"path", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: "bidilink", Name: "http_request_seconds", Help: "Time from the header of a request to the end of the answer, by path.",
			Buckets: prometheus.ExponentialBuckets(0.0005, 4, 8)}, []string{"path"}),
		bytes:   prometheus.NewCounterVec(prometheus.CounterOpts(opts("http_body_bytes_total", "Bytes of the bodies of requests, by path.")), []string{"path"}),
		links:   prometheus.NewCounterVec(prometheus.CounterOpts(opts("links_total", "Links made or listed, by path.")), []string{"path"}),
		late:    prometheus.NewCounterVec(prometheus.CounterOpts(opts("http_late_total", "Requests that could not be worked on within the timeout, by path.")), []string{"path"}),
		refused: prometheus.NewCounter(prometheus.CounterOpts(opts("http_refused_total", "Requests refused because too many were worked on at once."))),
		panics:  prometheus.NewCounter(prometheus.CounterOpts(opts("panics_total", "Requests that ended in a panic."))),
		now:     prometheus.NewGauge(prometheus.GaugeOpts(opts("http_requests_in_progress", "Requests that are worked on."))),
	}
	r := prometheus.NewRegistry()
	r.MustRegister(m.requests, m.seconds, m.bytes, m.links, m.late, m.refused, m.panics, m.now, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.answer = promhttp.HandlerFor(r, promhttp.HandlerOpts{DisableCompression: true})
	return m
}

// done counts a request.
func (m *metrics) done(path string, status int, begin time.Time) {
	m.requests.WithLabelValues(path, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(path).Observe(time.Since(begin).Seconds())
}
