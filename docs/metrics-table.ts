// npm run docs -- metrics: writes the table of all metrics into docs/operation.md. A test checks that it is up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type MetricDescription, openMetrics } from '../plugins/metrics/open-metrics.js'

const PAGE = join(import.meta.dirname, 'operation.md')
const BEGIN = '<!-- metrics -->\n'
const END = '\n<!-- /metrics -->'

/** All metrics, ours first. */
export function allMetrics(): MetricDescription[] {
  const indexes = () => ({ bytes: 0, safes: 0, newest: 0, older: 0, none: 0 })
  const metrics = openMetrics({ version: '', indexLimitBytes: 0, indexes })
  metrics.close()
  return metrics.describe()
}

/** Our own metrics; the document names the default ones of prom-client in a sentence. */
export function metricsTable(): string {
  const ours = allMetrics().filter(({ name }) => name.startsWith('svc_'))
  const rows = ours.map(({ name, type, labels, help }) => {
    const named = labels.map(label => `\`${label}\``).join(', ')
    return `| \`${name}\` | ${type} | ${named} | ${help} |`
  })
  return ['| Metric | Type | Labels | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

/** The table as it is in docs/operation.md. */
export function writtenTable(): string {
  const page = readFileSync(PAGE, 'utf8')
  return page.slice(page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END))
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(PAGE, readFileSync(PAGE, 'utf8').replace(writtenTable(), metricsTable()))
