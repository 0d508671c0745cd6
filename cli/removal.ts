import type { Command } from 'commander'
import type { FastifyInstance } from 'fastify'
import { type CommandContext, type Printed, printList, printMessage } from './command.js'
import { type Confirmed, confirm, YES } from './confirm.js'
import { allOf, findSafe, from, onlyOne } from './find.js'
import { importNumber, restoreImport, sizeOf } from './import.js'

/** Adds `remove`, `removed` and `restore` under `safe`. */
export function removalCommands(safe: Command, context: CommandContext): void {
  safe
    .command('remove')
    .description('Removes a Safe and its contents. It can be restored for 7 days.')
    .argument('<safe>', 'Its id or name.')
    .option(...YES)
    .action(async (idOrName: string, options: Confirmed) => {
      const app = await context.open()
      const { safe, ownerId } = await findSafe(app, idOrName)
      const found = await app.safes.find(ownerId, safe.id)
      const amount = found ? ` (${sizeOf(found.counts)})` : ''
      await confirm(context, options, `Remove the Safe “${safe.name}”${amount}?`)
      await app.safes.removal.remove(ownerId, safe.id)
      await app.safes.idle()
      printMessage(context, `Removed the Safe “${safe.name}”. To restore it: svc safe restore ${safe.id}`)
    })
  safe
    .command('removed')
    .description('Lists the removed Safes that can be restored: id, name, until when.')
    .option('--json', 'Print JSON.')
    .action(async (options: Printed) => {
      const app = await context.open()
      await printList(context, options, removedSafes(app), ['id', 'name', 'restorableUntil'])
    })
  safe
    .command('restore')
    .description('Restores a removed Safe, or an undone import of a Safe.')
    .argument('<safe>', 'Its id or name.')
    .argument('[import]', 'Its number, as listed by svc safe imports --undone.', importNumber)
    .action(async (idOrName: string, importId?: number) => {
      const app = await context.open()
      if (importId !== undefined) return restoreImport(context, app, idOrName, importId)
      const { id, name, ownerId } = await findRemoved(app, idOrName)
      await app.safes.removal.restore(ownerId, id)
      printMessage(context, `Restored the Safe “${name}”.`)
    })
}

/** Every removed Safe, with the time as text. */
async function* removedSafes(app: FastifyInstance) {
  const pages = (after: string | undefined) => app.safes.removal.all(from(after))
  for await (const { restorableUntil, ...safe } of allOf(pages, ({ id }) => id))
    yield { ...safe, restorableUntil: new Date(restorableUntil).toISOString() }
}

async function findRemoved(app: FastifyInstance, idOrName: string) {
  const found = []
  for await (const safe of removedSafes(app))
    if (safe.id === idOrName || safe.name === idOrName) found.push(safe)
  return onlyOne(found, ({ id }) => id, idOrName, 'removed Safe')
}
