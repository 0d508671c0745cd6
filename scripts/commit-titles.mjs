// npm run check: titles of commits that are not on the main line yet. They are like `fix(token): refuse a repeated
// parameter`: a type, what it concerns, and the change in plain words (CONTRIBUTING.md).
import { spawnSync } from 'node:child_process'
import { betterWords } from './phrases.mjs'

const TITLE = /^(?:feat|fix|perf|refactor|style|docs|test|bench|build|ci|chore|revert)(?:\([^)]+\))?!?: \S/
const MAX_LENGTH = 110

const git = (...args) => spawnSync('git', args, { encoding: 'utf8' })
const main = ['origin/main', 'main'].find(name => git('rev-parse', '--verify', '--quiet', name).status === 0)
const titles = main
  ? git('log', '--no-merges', '--format=%s', `${main}..HEAD`).stdout.split('\n').filter(Boolean)
  : []

const problems = titles.flatMap(title => [
  ...(TITLE.test(title) ? [] : [`“${title}” Begin with the type: fix(token): …`]),
  ...(title.length <= MAX_LENGTH ? [] : [`“${title}” Write at most ${MAX_LENGTH} characters.`]),
  ...betterWords(title).map(instead => `“${title}” Write: ${instead}.`),
])
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
