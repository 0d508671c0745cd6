import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { allMetrics, metricsTable, writtenTable } from '../../docs/metrics-table.js'
import { rootDir } from '../../platform/common/package.js'

const textOf = (name: string) => readFileSync(join(rootDir, 'docs', name), 'utf8')

/** Every name that a query can use. */
const known = new Map(
  allMetrics().flatMap(({ name, type, labels }) =>
    (type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']).map(
      suffix => [`${name}${suffix}`, [...labels, ...(suffix === '_bucket' ? ['le'] : [])]] as const,
    ),
  ),
)
/** Labels that Prometheus adds to each series. */
const ADDED = ['instance', 'job']

/** The names in a query: metrics with their labels. */
function namedIn(query: string): { metric: string; labels: string[] }[] {
  const selectors = query.matchAll(/\b((?:svc|nodejs|process)_[a-z0-9_]+|up\b)(?:\{([^}]*)\})?/g)
  return [...selectors].map(([, metric = '', inside = '']) => ({
    metric,
    labels: [...inside.matchAll(/([a-z_]+)[=!]/g)].map(([, label = '']) => label),
  }))
}

function checkQuery(t: Test, query: string): void {
  const named = namedIn(query)
  t.ok(named.length > 0, `a metric in ${query}`)
  for (const { metric, labels } of named) {
    if (metric === 'up') continue
    t.ok(known.has(metric), `${metric} exists`)
    for (const label of labels)
      t.ok([...ADDED, ...(known.get(metric) ?? [])].includes(label), `${metric}: ${label}`)
  }
  // Labels that are grouped by.
  const labels = named.flatMap(({ metric }) => known.get(metric) ?? [])
  for (const [, list = ''] of query.matchAll(/\bby \(([^)]*)\)/g))
    for (const label of list.split(', ')) t.ok([...ADDED, ...labels].includes(label), `${query}: ${label}`)
  t.equal(query.split('(').length, query.split(')').length, 'parentheses')
}

t.test('docs/operation.md lists the metrics as they are (npm run docs -- metrics)', async t => {
  t.equal(writtenTable(), metricsTable())
})

t.test('labels are few and name nobody', async t => {
  const allowed = ['method', 'route', 'status', 'reason', 'grant_type', 'result', 'kind', 'found', 'store']
  const ours = allMetrics().filter(({ name }) => name.startsWith('svc_'))
  t.ok(ours.length > 10)
  for (const { name, labels } of ours)
    for (const label of labels)
      t.ok([...allowed, 'operation', 'version'].includes(label), `${name}: ${label}`)
})

t.test('every query of the dashboard names metrics and labels that exist', async t => {
  const { panels, templating } = JSON.parse(textOf('grafana-dashboard.json'))
  const ids = new Set<number>()
  for (const { id, title, targets } of panels) {
    t.notOk(ids.has(id), `${title} has an id of its own`)
    ids.add(id)
    for (const { expr } of targets) checkQuery(t, expr)
  }
  t.ok(panels.length >= 10)
  for (const { query } of templating.list)
    if (query !== 'prometheus') t.ok(known.has(namedIn(query)[0]?.metric ?? ''))
})

t.test('the five alerts name metrics that exist, and say what to do', async t => {
  const { groups } = parse(textOf('prometheus-alerts.yaml'))
  const rules = groups.flatMap((group: { rules: unknown[] }) => group.rules)
  t.equal(rules.length, 5)
  for (const { alert, expr, annotations, labels } of rules) {
    checkQuery(t, expr)
    t.match(labels.severity, /^(warning|critical)$/, alert)
    t.ok(annotations.summary && annotations.action, alert)
  }
})
