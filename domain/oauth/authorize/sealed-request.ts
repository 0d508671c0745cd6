import { type Seal, sealWith } from '../../../platform/common/seal.js'
import type { Random } from '../../../platform/common/secrets.js'
import type { AuthorizationRequest } from './authorization-request.js'

/**
 * Encodes an authorization request as the id of its consent page. It is encrypted and authenticated, so
 * nothing is stored before a signed-in user decides, and the address reveals nothing (docs/decisions/0005).
 */
export type RequestSeal = Seal<Omit<AuthorizationRequest, 'id'>>

export const requestSeal: (key: Uint8Array, random: Random) => RequestSeal = sealWith
