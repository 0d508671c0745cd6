/**
 * The knowledge-graph engine: builds the index of a Safe and ranks facts and passages for a question, without a model.
 *
 * - Takes: a `GraphSource` with the rows of all imports in force (`buildIndex`), or the buffers of an index that was
 *   built before (`fromBuffers`); then a `GraphQuestion` (`evaluate`).
 * - Gives: a `Ranking` of row numbers with scores and what was recognized, or a `Summary` of a thing, path, walk or
 *   Safe. Texts stay with the caller, who reads the rows of the winners. `browse` lists things and relations by name.
 * - Refuses: nothing. A question that matches nothing gets an empty ranking with the nearest names.
 * - Costs: building is linear in the rows (7 s and 60 to 100 bytes a fact at 1,000,000 facts) and pauses where a `Pause`
 *   asks for it. A question reads a bounded number of postings, edges and pushes, so its time does not grow with the
 *   Safe (docs/graph.md, docs/benchmarks.md).
 */
export { type Browsed, type BrowseKind, type BrowseKinds, type BrowseQuery, browse } from './browse/browse.js'
export { type DuplicatesQuery, duplicates, type PossibleDuplicate } from './browse/duplicates.js'
export type { HavingQuery, PassagesFound, PassagesQuery } from './browse/passages.js'
export type { Related, RelationsQuery } from './browse/relations.js'
export type { KindOfRelations, Thing } from './browse/thing.js'
export type { ThingRow, ThingsQuery } from './browse/things.js'
export { memoize } from './collections/memoize.js'
export { Pause } from './collections/pause.js'
export { StringsBuilder } from './collections/strings.js'
export { TripleTable } from './collections/triple-table.js'
export { Uint32List } from './collections/uint32-list.js'
export { byteLengthOf, fromBuffers, LAYOUT_VERSION, type Layout, toBuffers } from './index/buffers.js'
export { buildIndex, indexOf, indexWith } from './index/build-index.js'
export { periodEnds } from './index/fact-periods.js'
export { Layers } from './index/layers.js'
export type { MergedKey } from './index/merged.js'
export { Identities } from './index/merged.js'
export type { BuiltFrom, SafeIndex } from './index/safe-index.js'
export { Workspace } from './index/workspace.js'
export type {
  AliasRow,
  EntityRow,
  FactTimes,
  GraphRecord,
  GraphSource,
  IdentityRow,
  Parsed,
  PassageRow,
  RelationRow,
  RowRef,
  Succession,
} from './model.js'
export type { GraphQuestion } from './modes/auto-mode.js'
export { evaluate } from './modes/evaluate.js'
export { MAX_PATH_LENGTH } from './modes/path.js'
export type { AskedWord, Evidence } from './retrieval/evidence.js'
export { isMere, LINKS_TO } from './retrieval/mere-links.js'
export type { RowRange } from './retrieval/part.js'
export { MAX_SOURCES, MODES, type Mode, mergedOf, namingImports, type Ranking } from './retrieval/ranking.js'
export {
  type EntityCounts,
  type EntitySummary,
  type OverviewSummary,
  type PathSummary,
  renamed,
  type Summary,
  type WalkSummary,
} from './retrieval/summary.js'
export { isRanged, type RangeReport, type TimeRange } from './retrieval/time-range.js'
export { dateOf, type Period, periodOf } from './text/date.js'
export { expectedOf } from './text/languages/expected.js'
export { holdsExpected } from './text/languages/holds-expected.js'
export { prepareQuestions } from './text/languages/prepare-questions.js'
export type { Expected } from './text/languages/words.js'
export { foldWord, isStopWord, normalizeName, spacedPredicate, stem, terms } from './text/text.js'
export { trimEndOf } from './text/trim-end.js'
