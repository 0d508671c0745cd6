// What a CPU profile of `npm run bench -- --cpu-prof FOLDER` says, in microseconds of each request:
//   npx tsx bench/profile.ts FILE [HOW MANY LINES]
import { readFileSync } from 'node:fs'

interface Frame {
  functionName: string
  url: string
  lineNumber: number
}
interface Profile {
  nodes: { id: number; callFrame: Frame; children?: number[] }[]
  samples: number[]
  timeDeltas: number[]
  requests: number
}

const [file = '', lines = '40'] = process.argv.slice(2)
const { nodes, samples, timeDeltas, requests }: Profile = JSON.parse(readFileSync(file, 'utf8'))

const ticks = new Map<number, number>()
for (const [i, id] of samples.entries()) ticks.set(id, (ticks.get(id) ?? 0) + (timeDeltas[i] ?? 0))
const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map(child => [child, id])))
const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))

const byPackage = new Map<string, number>()
const own = new Map<string, number>()
const withCallees = new Map<string, number>()
for (const [id, time] of ticks) {
  const frame = frames.get(id) as Frame
  if (frame.functionName === '(idle)') continue
  add(byPackage, packageOf(frame), time)
  add(own, nameOf(frame), time)
  const seen = new Set<string>()
  for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
    seen.add(nameOf(frames.get(at) as Frame))
  }
  for (const name of seen) add(withCallees, name, time)
}
console.log(`${file}: ${requests} requests`)
print('own time by package', byPackage)
print('own time by function', own)
print('time with callees by function', withCallees)

function add(sums: Map<string, number>, key: string, time: number): void {
  sums.set(key, (sums.get(key) ?? 0) + time)
}

function packageOf({ url, functionName }: Frame): string {
  if (url === '') return functionName.startsWith('(') ? functionName : 'V8'
  if (url.startsWith('node:')) return url.replace(/^node:internal\/(\w+).*/, 'node:internal/$1')
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
  return name ?? 'svc'
}

function nameOf({ functionName, url, lineNumber }: Frame): string {
  const path = url.replace(/^.*\/(?:node_modules|dist)\//, '')
  return `${functionName || '(anonymous)'} ${path && `${path}:${lineNumber + 1}`}`
}

function print(title: string, sums: Map<string, number>): void {
  console.log(`\n${title}, µs a request`)
  const sorted = [...sums].sort(([, a], [, b]) => b - a).slice(0, Number(lines))
  for (const [name, time] of sorted) console.log(`${(time / requests).toFixed(2).padStart(8)}  ${name}`)
}
