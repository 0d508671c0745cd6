import type { FastifyInstance } from 'fastify'
import type { Proposal } from '../../../domain/proposals/proposal.js'
import type { Preview } from '../../../domain/proposals/proposed-texts.js'
import { documentAddress } from '../../../domain/safes/documents/document-address.js'
import { difference } from '../../../engine/rendering/index.js'
import { hashSecret } from '../../../platform/common/secrets.js'
import { proposalsTexts } from '../../../views/texts/proposals.js'
import { linkTargets } from '../documents/links.js'
import type { ProposalChoice } from './proposal-choice.js'

/** A proposed note, rendered, or a proposed edit as a difference of its document. */
export type TextRow = Awaited<ReturnType<typeof textRows>>[number]

/** The results of a proposal's texts in the current documents. */
export async function textRows(
  { proposals, safes, renderer }: Pick<FastifyInstance, 'proposals' | 'safes' | 'renderer'>,
  accountId: string,
  { safeId, texts }: Pick<Proposal, 'safeId' | 'texts'>,
  choice: ProposalChoice | undefined,
) {
  const entered = texts.map((each, i) => ({ ...each, text: choice?.texts[i]?.text ?? each.text }))
  const previews = await proposals.previews(accountId, safeId, entered)
  const render = async (text: string, path: string) => {
    const resolve = (targets: readonly string[]) => linkTargets(safes, accountId, safeId, path, targets)
    const shown = { kind: 'markdown' as const, text, title: path, resolve, passages: [] }
    return (await renderer.render({ accountId, safe: safeId, hash: hashSecret(text), ...shown })).html
  }
  const row = async (
    { before, after, version, problem, change, path, at, text, isNewer }: Preview,
    i: number,
  ) => ({
    number: i,
    isTicked: choice ? choice.written.has(i) : problem === null,
    legend: proposalsTexts.changes[change](at),
    path,
    href: change === 'note' ? null : documentAddress(`/safes/${safeId}`, path),
    text,
    version: version ?? '',
    html: change === 'note' ? await render(text, path) : null,
    difference: change === 'note' ? null : difference(before, after),
    notice: problem ?? (isNewer ? proposalsTexts.newer : null),
  })
  return Promise.all(previews.map(row))
}
