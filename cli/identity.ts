import type { Command } from 'commander'
import { likenessText } from '../domain/safes/identity/likeness-text.js'
import { type CommandContext, type Printed, print, printList, printMessage } from './command.js'
import { findSafe } from './find.js'

/** Maximum duplicates found, the likeliest first. */
const MAX = 500

/** Adds commands under `safe`. */
export function identityCommands(safe: Command, context: CommandContext): void {
  safe
    .command('duplicates')
    .description('Lists likely duplicates: two names, and why they may be the same. Nothing is merged.')
    .argument('<safe>', 'Its id or name.')
    .option('--json', 'Print JSON.')
    .action(async (idOrName: string, options: Printed) => {
      const app = await context.open()
      const { safe, ownerId } = await findSafe(app, idOrName)
      const page = await app.safes.identity.duplicates(ownerId, safe.id, { limit: MAX })
      const rows = (page?.items ?? []).map(({ one, other, how, common, commonCount }) => ({
        one: one.name,
        other: other.name,
        why: likenessText(how, commonCount),
        keys: [one.key, other.key],
        common: common.map(({ name }) => name),
      }))
      await printList(context, options, rows, ['one', 'other', 'why'])
    })
  safe
    .command('merge')
    .description('Merges two things and prints the import’s id. Undo it with svc safe undo.')
    .argument('<safe>', 'Its id or name.')
    .argument('<name>', 'The thing whose name is kept.')
    .argument('<other>', 'The other thing. Its name becomes another name of the first.')
    .action(async (idOrName: string, name: string, other: string) => {
      const app = await context.open()
      const { safe, ownerId } = await findSafe(app, idOrName)
      const { id, source } = await app.safes.identity.merge(ownerId, safe.id, name, other)
      printMessage(context, `“${safe.name}”: ${source}.`)
      print(context, String(id))
    })
  safe
    .command('split')
    .description('Separates a merged thing again, and prints the import’s id.')
    .argument('<safe>', 'Its id or name.')
    .argument('<name>', 'The merged thing, or the one that others were merged into, to separate all of them.')
    .action(async (idOrName: string, name: string) => {
      const app = await context.open()
      const { safe, ownerId } = await findSafe(app, idOrName)
      const { id, source } = await app.safes.identity.split(ownerId, safe.id, name)
      printMessage(context, `“${safe.name}”: ${source}.`)
      print(context, String(id))
    })
}
