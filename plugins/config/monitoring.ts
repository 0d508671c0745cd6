import { Type } from '@sinclair/typebox'
import { type Check, list, text, type ValuesOf } from './setting.js'

/** Metrics, traces and logs. */
export const MONITORING_SETTINGS = {
  METRICS_PORT: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 65535,
    description:
      'Serves /metrics for Prometheus on a second port of HOST (docs/operation.md). 0: on PORT, if METRICS_TOKEN is set.',
    expected: 'a port number from 1 to 65535, other than PORT, or 0',
  }),
  METRICS_TOKEN: text({
    description: 'Bearer token that /metrics requires. Without it and METRICS_PORT there is no /metrics.',
    expected: 'at least 16 letters, digits or any of -._~+/=',
    secret: true,
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: text({
    description:
      'Address of an OpenTelemetry collector that receives traces (docs/operation.md). Empty: nothing is traced.',
    expected: 'an http(s) URL such as http://localhost:4318, to which /v1/traces is added',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: text({
    description: 'Headers for the collector, such as its token.',
    expected: 'name=value pairs separated by commas',
    secret: true,
  }),
  LOG_LEVEL: Type.Union(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'].map(level => Type.Literal(level)),
    {
      default: 'info',
      description: 'How much is logged, as JSON lines on stdout.',
      expected: 'trace, debug, info, warn, error, fatal or silent',
    },
  ),
}

type Values = ValuesOf<typeof MONITORING_SETTINGS>
type CheckMonitoring = Check<typeof MONITORING_SETTINGS>

export interface MonitoringConfig {
  /** Where /metrics is served, or null. `port` null: on the port of the service. */
  metrics: { port: number | null; token: string | null } | null
  /** Where traces are sent, or null. */
  traces: { url: string; headers: Record<string, string> } | null
  logLevel: string
}

/** Reads the settings of this topic, and PORT, which must differ from that of /metrics. */
export function readMonitoring(
  settings: Values & { PORT: number },
  check: CheckMonitoring,
): MonitoringConfig {
  return {
    metrics: readMetrics(settings, check),
    traces: readTraces(settings, check),
    logLevel: settings.LOG_LEVEL,
  }
}

function readMetrics(
  { METRICS_PORT: port, METRICS_TOKEN: token, PORT }: Values & { PORT: number },
  check: CheckMonitoring,
): MonitoringConfig['metrics'] {
  check('METRICS_PORT', port !== PORT)
  check('METRICS_TOKEN', token === '' || isBearerToken(token))
  return port > 0 || token ? { port: port || null, token: token || null } : null
}

function readTraces(
  { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_EXPORTER_OTLP_HEADERS: headers }: Values,
  check: CheckMonitoring,
): MonitoringConfig['traces'] {
  const pairs = list(headers)
  const areHeaders = pairs.every(isHeaderPair)
  check('OTEL_EXPORTER_OTLP_ENDPOINT', collector === '' || isHttpUrl(collector))
  check('OTEL_EXPORTER_OTLP_HEADERS', areHeaders)
  if (collector === '' || !areHeaders) return null
  return { url: tracesUrl(collector), headers: Object.fromEntries(pairs.map(headerOf)) }
}

/** Long enough not to be guessed, and of characters that a header may contain (RFC 6750 §2.1). */
const isBearerToken = (value: string) => /^[\w.~+/=-]{16,200}$/.test(value)

const isHttpUrl = (value: string) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)

/** OpenTelemetry Protocol Exporter, "Endpoint URLs for OTLP/HTTP". */
const tracesUrl = (endpoint: string) => `${endpoint}${endpoint.endsWith('/') ? '' : '/'}v1/traces`

/** The value may be percent-encoded (W3C Baggage §3.2.1.1). */
const isHeaderPair = (pair: string) =>
  /^[\w!#$%&'*+.^`|~-]+ *=[\x21-\x7e ]*$/.test(pair) && !/%(?![0-9A-Fa-f]{2})/.test(pair)

function headerOf(pair: string): [name: string, value: string] {
  const at = pair.indexOf('=')
  return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]
}
