import { Type } from '@sinclair/typebox'
import { MAX_SEALED_LENGTH } from '../../platform/common/seal.js'

/**
 * A parameter that this service sealed for the browser (platform/common/seal.ts): an authorization request, or a page or
 * form (plugins/unsent-forms.ts). Never a URL (RULES C9).
 */
export const SealedText = Type.String({ pattern: '^[0-9A-Za-z_-]+$', maxLength: MAX_SEALED_LENGTH })
