import type { FastifyInstance } from 'fastify'
import { pathChain, svg } from '../../../engine/pictures/index.js'
import { thingsTexts } from '../../../views/texts/things.js'
import { thingPath } from '../safes/safe-links.js'
import type { Colours } from './type-colours.js'

type Found = Awaited<ReturnType<FastifyInstance['safes']['browse']['path']>>

/** The paths from a thing to another name, as pictures and in words. */
export function pathsView(
  safePath: string,
  found: Found,
  { from, to, colours }: { from: string; to: string; colours: Colours },
) {
  return {
    pictures: found.paths.map(path => svg(pathChain({ ...withLinks(safePath, path), colours }))),
    text: pathText(found, from, to),
  }
}

function pathText({ paths, complete, alike }: Found, from: string, to: string): string {
  const m = thingsTexts.thing
  if (alike !== null) return m.unknownEnd(to)
  if (paths.length === 0) return complete ? m.noPath(from, to) : m.noPathFound(from, to)
  return m.pathsFound(paths.length, paths[0]?.steps.length ?? 0)
}

function withLinks(safePath: string, { things, steps }: Found['paths'][number]) {
  return {
    things: things.map(({ key, name, type }) => ({ name, type, href: thingPath(safePath, key) })),
    steps,
  }
}
