/** The columns of rows of the graph, as the domain names them. */
export const ENTITY = ['import_id as importId', 'key', 'name', 'type'] as const

export const ALIAS = ['import_id as importId', 'entity_key as entityKey', 'alias'] as const

export const IDENTITY = ['import_id as importId', 'key', 'same_as as sameAs'] as const

export const RELATION = [
  'import_id as importId',
  'id',
  'subject_key as subjectKey',
  'predicate',
  'object_key as objectKey',
  'valid_from as validFrom',
  'valid_to as validTo',
  'learned_on as learnedOn',
] as const

export const PASSAGE = [
  'import_id as importId',
  'id',
  'entity_key as entityKey',
  'title',
  'text',
  'time',
] as const
