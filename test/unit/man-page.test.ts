import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { EXAMPLES, pathsOf } from '../../cli/examples.js'
import { manPage } from '../../cli/man-page.js'
import { programForDocs } from '../../cli/run.js'
import { rootDir } from '../../platform/common/package.js'

const program = programForDocs()
const leaves = pathsOf(program).filter(([, command]) => command.commands.length === 0)

t.test('deploy/man/svc.1 is made from the help of the commands (npm run docs -- man)', async t => {
  t.equal(readFileSync(join(rootDir, 'deploy', 'man', 'svc.1'), 'utf8'), manPage(program))
})

t.test('every command has examples, with options that it has (UX, the command line)', async t => {
  t.strictSame(Object.keys(EXAMPLES).sort(), leaves.map(([path]) => path).sort())
  for (const [path, command] of leaves)
    for (const example of EXAMPLES[path] ?? []) {
      t.match(example, new RegExp(`svc ${path}( |$|\\))`), example)
      const known = [...command.options, ...program.options].map(({ long }) => long)
      for (const option of example.match(/--[\w-]+/g) ?? [])
        t.ok(known.includes(option), `${example}: ${option}`)
      const needed = command.registeredArguments.filter(({ required }) => required).length
      const [, given = ''] = example.split(`svc ${path}`)
      const words = given.replace(/ [|<>] ?\S.*$/, '').match(/'[^']*'|[^\s']+/g) ?? []
      t.ok(words.length >= needed, `${example}: ${needed} arguments`)
    }
})
