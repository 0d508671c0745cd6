// What a CPU profile of `npm run bench -- requests --cpu-prof FOLDER` says, in microseconds of each request:
//   npx tsx bench/profile.ts FILE [HOW MANY LINES]
// Samples are taken by the clock on the wall; they are scaled so that together they are the CPU that was taken.
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
  /** Microseconds. */
  cpu: number
}

const [file = '', lines = '40'] = process.argv.slice(2)
const profile: Profile = JSON.parse(readFileSync(file, 'utf8'))
const cpuOfRequest = profile.cpu / profile.requests
const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]))
const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map(child => [child, id])))

let total = 0
const byPackage = new Map<string, number>()
const own = new Map<string, number>()
const withCallees = new Map<string, number>()
for (const [i, id] of profile.samples.entries()) count(stackOf(id), profile.timeDeltas[i] ?? 0)

console.log(`${file}: ${profile.requests} requests, ${cpuOfRequest.toFixed(0)} µs of CPU each`)
print('own time by package', byPackage)
print('own time by function', own)
print('time with callees by function', withCallees)

function count(stack: Frame[], time: number): void {
  const [frame] = stack
  if (!frame || frame.functionName === '(idle)' || stack.some(({ url }) => url.endsWith('load/child.js')))
    return
  total += time
  add(byPackage, packageOf(frame), time)
  add(own, nameOf(frame), time)
  for (const name of new Set(stack.map(nameOf))) add(withCallees, name, time)
}

/** The function that ran, and those that called it. */
function stackOf(id: number): Frame[] {
  const stack: Frame[] = []
  for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
    const frame = frames.get(at)
    if (frame) stack.push(frame)
  }
  return stack
}

function add(sums: Map<string, number>, key: string, time: number): void {
  sums.set(key, (sums.get(key) ?? 0) + time)
}

function packageOf({ url, functionName }: Frame): string {
  if (url === '') return functionName.startsWith('(') ? functionName : 'V8 and libuv'
  if (url.startsWith('node:')) return 'node'
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
  for (const [name, time] of sorted) {
    console.log(`${((time / total) * cpuOfRequest).toFixed(2).padStart(8)}  ${name}`)
  }
}
