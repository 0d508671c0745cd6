import { spawnSync } from 'node:child_process'
import t, { type Test } from 'tap'
import { dataDir } from '../../data-dir.js'
import { runHere } from './svc.js'

const CASES: [words: string[], some: RegExp][] = [
  [['saf'], /^safe$/],
  [['safe', 'exp'], /^export$/],
  [['safe', 'export', '--form'], /^--format$/],
  [['completion', 'f'], /^fish$/],
  [['ask', 'Notes', '--js'], /^--json$/],
  [['nothing', 'x'], /^(?!x)/],
]

/** The suggestions of a shell for the last of some words. Each runs its own completion as if a person pressed Tab. */
const SHELLS: Record<string, (script: string, words: string[]) => string[]> = {
  bash: (script, words) => [
    '-c',
    `${script}\nCOMP_WORDS=(svc ${words.join(' ')}); COMP_CWORD=${words.length}; _svc; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  // zsh uses the completion of bash. Its line editor filters the suggestions, and needs a terminal.
  zsh: (script, words) => [
    '-c',
    `autoload -U compinit && compinit -u -D\n${script}\nsetopt ksh_arrays\nCOMP_WORDS=(svc ${words.join(' ')}); COMP_CWORD=${words.length}; _svc; print -l -- "\${COMPREPLY[@]}"`,
  ],
  fish: (script, words) => ['-c', `${script}\ncomplete -C 'svc ${words.join(' ')}' | string split -f1 \\t`],
}

for (const [shell, argumentsFor] of Object.entries(SHELLS)) {
  const isThere = spawnSync(shell, ['-c', 'true']).status === 0
  const skip = isThere ? false : `${shell} is not installed: apt-get install -y ${shell}`
  t.test(`${shell} completes commands, options and choices (UX, the command line)`, { skip }, async t => {
    const { stdout: script } = await runHere(dataDir(t), ['completion', shell])
    for (const [words, expected] of CASES) {
      const offered = shell === 'zsh' ? new RegExp(expected, 'm') : expected
      offers(t, shell, argumentsFor(script, words), offered)
    }
  })
}

function offers(t: Test, shell: string, args: string[], expected: RegExp): void {
  const { stdout, stderr } = spawnSync(shell, args, { encoding: 'utf8' })
  t.match(stdout.trim(), expected, `${args.at(-1)?.split('\n').at(-1)} ${stderr}`)
}
