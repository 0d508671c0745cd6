/** The oldest Node.js that runs the service, from package.json. */
const OLDEST = [20, 12] as const

/** A sentence for a Node.js that is too old; null for others. Called before anything else is loaded. */
export function nodeProblem(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return null
  return `svc needs Node.js ${OLDEST.join('.')} or newer, and this is ${version}. Install it from https://nodejs.org.`
}

const problem = nodeProblem(process.versions.node)
if (problem !== null) {
  process.stderr.write(`${problem}\n`)
  process.exit(1)
}
