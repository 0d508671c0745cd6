import type { Command } from 'commander'
import { type CommandContext, type Printed, printList, printMessage } from './command.js'
import { findSafe } from './find.js'

interface SingleValuedOptions extends Printed {
  off?: true
}

/** Adds `single-valued` under `safe`. */
export function singleValuedCommand(safe: Command, context: CommandContext): void {
  safe
    .command('single-valued')
    .description(
      'Lists or marks relations that have one value at a time: a newer fact replaces an older one.',
    )
    .argument('<safe>', 'Its id or name.')
    .argument('[relation]', 'To mark, e.g. "lives in".')
    .option('--off', 'Remove the mark.')
    .option('--json', 'Print the list as JSON.')
    .action(
      async (
        idOrName: string,
        relation: string | undefined,
        options: SingleValuedOptions,
        command: Command,
      ) => {
        if (options.off && relation === undefined) command.error('error: Name the relation for --off.')
        const app = await context.open()
        const { safe, ownerId } = await findSafe(app, idOrName)
        if (relation === undefined) {
          const marked = await app.safes.singleValued.list(ownerId, safe.id)
          await printList(
            context,
            options,
            marked.map(relation => ({ relation })),
            ['relation'],
          )
          return
        }
        const name = await app.safes.singleValued.set(ownerId, safe.id, relation, !options.off)
        printMessage(
          context,
          options.off
            ? `“${name}” can have several values at a time in “${safe.name}”.`
            : `“${name}” has one value at a time in “${safe.name}”.`,
        )
      },
    )
}
