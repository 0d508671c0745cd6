import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { indexesOpened, searches, storeCalls } from '../../platform/common/events.js'

export interface TraceOptions {
  /** The address for spans, as JSON (OTLP/HTTP). */
  url: string
  headers: Record<string, string>
  serviceName: string
  version: string
  /** The collector does not answer. Called once, until it does again. */
  onUnreachable(error: Error | undefined): void
}

/** The origin of a trace: headers of a request, or `_meta` of an MCP message (SEP-414). */
export type Carrier = Record<string, unknown>

/** The traces of this process. */
export interface Traces {
  /** Begins the span of a request. Answer the request in `within`. */
  begin(method: string, headers: Carrier): RequestSpan
  /** Runs one MCP request in its own span. */
  mcpRequest<T>(request: McpRequest<T>, work: () => Promise<T>): Promise<T>
  /** Sends the remaining spans, for a second and a half at most. */
  close(): Promise<void>
}

/** The attributes of an MCP request's span. */
export interface McpRequest<T> {
  method: string
  tool: string | undefined
  trace: Carrier | undefined
  /** The type of error that a response reports. */
  errorOf(response: T): string | undefined
}

export interface RequestSpan {
  within<T>(work: () => T): T
  end(route: string, status: number): void
}

/** How long stopping waits for the last batch. */
const CLOSE_MS = 1500
/** Maximum characters of a `tracestate` (W3C Trace Context §3.3.1.1). */
const MAX_STATE_LENGTH = 512

/**
 * Traces sent to a collector. Our own `AsyncLocalStorage` stores the context of a span: nothing is
 * registered globally and no module is patched. The SDK reads other standard variables itself: OTEL_TRACES_SAMPLER,
 * OTEL_BSP_*, OTEL_RESOURCE_ATTRIBUTES, OTEL_SERVICE_NAME, OTEL_EXPORTER_OTLP_TIMEOUT.
 */
class SentTraces implements Traces {
  readonly #provider: BasicTracerProvider
  readonly #tracer: Tracer
  readonly #current = new AsyncLocalStorage<Context>()
  readonly #subscriptions: (() => void)[]

  constructor(provider: BasicTracerProvider, version: string) {
    this.#provider = provider
    this.#tracer = provider.getTracer('svc', version)
    this.#subscriptions = [
      storeCalls.subscribe(({ store, operation, ms, isFailed }) => {
        const attributes = { 'db.system.name': SYSTEMS[store], 'db.operation.name': operation }
        this.#record(`${store} ${operation}`, ms, attributes, isFailed)
      }),
      searches.subscribe(({ ms }) => this.#record('search', ms)),
      indexesOpened.subscribe(({ ms, how }) =>
        this.#record('open index', ms, { 'svc.index': how }, how === 'failed'),
      ),
    ]
  }

  begin(method: string, headers: Carrier): RequestSpan {
    const kind = SpanKind.SERVER
    const attributes = { 'http.request.method': method }
    const span = this.#tracer.startSpan(method, { kind, attributes }, continued(headers))
    const context = trace.setSpan(ROOT_CONTEXT, span)
    return {
      within: work => this.#current.run(context, work),
      end(route, status) {
        span.updateName(`${method} ${route}`)
        span.setAttributes({ 'http.route': route, 'http.response.status_code': status })
        if (status >= 500) fail(span, String(status))
        span.end()
      },
    }
  }

  async mcpRequest<T>(request: McpRequest<T>, work: () => Promise<T>): Promise<T> {
    const outer = this.#current.getStore() ?? ROOT_CONTEXT
    const span = this.#beginMcp(request, outer)
    try {
      const response = await this.#current.run(trace.setSpan(outer, span), work)
      const error = request.errorOf(response)
      if (error !== undefined) fail(span, error)
      return response
    } catch (error) {
      fail(span, (error as Error).name)
      throw error
    } finally {
      span.end()
    }
  }

  async close(): Promise<void> {
    for (const unsubscribe of this.#subscriptions) unsubscribe()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>(resolve => {
      timer = setTimeout(resolve, CLOSE_MS)
    })
    await Promise.race([this.#provider.shutdown().catch(() => {}), late])
    clearTimeout(timer)
  }

  /** A span in the trace that the message continues, linked to that of the HTTP request, or else in `outer`. */
  #beginMcp<T>({ method, tool, trace: carrier = {} }: McpRequest<T>, outer: Context): Span {
    const sent = continued(carrier)
    const isContinued = trace.getSpanContext(sent) !== undefined
    const httpSpan = trace.getSpanContext(outer)
    const options = {
      kind: SpanKind.SERVER,
      attributes: { 'mcp.method.name': method, ...(tool && { 'gen_ai.tool.name': tool }) },
      ...(isContinued && httpSpan ? { links: [{ context: httpSpan }] } : {}),
    }
    return this.#tracer.startSpan(tool ? `${method} ${tool}` : method, options, isContinued ? sent : outer)
  }

  /** A span for an operation that has just ended, in its request. */
  #record(name: string, ms: number, attributes: Attributes = {}, isFailed = false): void {
    const context = this.#current.getStore()
    if (!context || !trace.getSpan(context)?.isRecording()) return
    const endTime = Date.now()
    const kind = 'db.system.name' in attributes ? SpanKind.CLIENT : SpanKind.INTERNAL
    const span = this.#tracer.startSpan(name, { kind, startTime: endTime - ms, attributes }, context)
    if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(endTime)
  }
}

/** Opens traces. */
export function openTraces({ url, headers, serviceName, version, onUnreachable }: TraceOptions): Traces {
  const exporter = new OTLPTraceExporter({ url, headers })
  reportFailures(exporter, onUnreachable)
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }))
    .merge(detectResources({ detectors: [envDetector] }))
  const spanProcessors = [new BatchSpanProcessor(exporter)]
  return new SentTraces(new BasicTracerProvider({ resource, spanProcessors }), version)
}

const PROPAGATOR = new W3CTraceContextPropagator()

const continued = (carrier: Carrier): Context =>
  PROPAGATOR.extract(ROOT_CONTEXT, readable(carrier), defaultTextMapGetter)

/** Values of `db.system.name` (OpenTelemetry semantic conventions, "Database"). */
const SYSTEMS = { sqlite: 'sqlite', postgres: 'postgresql', redis: 'redis' } as const

/** Without the error's message, which may quote input. */
function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** `traceparent` and a `tracestate` of a sensible length. `baggage` is not read. */
function readable({ traceparent, tracestate }: Carrier): Record<string, string> {
  if (typeof traceparent !== 'string') return {}
  const isShort = typeof tracestate === 'string' && tracestate.length <= MAX_STATE_LENGTH
  return { traceparent, ...(isShort ? { tracestate } : {}) }
}

/** The SDK drops spans it cannot send. */
function reportFailures(exporter: OTLPTraceExporter, onUnreachable: TraceOptions['onUnreachable']): void {
  let isReported = false
  const send = exporter.export.bind(exporter)
  exporter.export = (spans, done) =>
    send(spans, result => {
      const isFailed = result.code !== ExportResultCode.SUCCESS
      if (isFailed && !isReported) onUnreachable(result.error)
      isReported = isFailed
      done(result)
    })
}
