import { discoverProvider } from '../../accounts/openid/provider.js'
import { type Finding, problem, reasonOf } from '../finding.js'
import type { Installation } from '../installation.js'
import { installationTexts } from './installation-texts.js'

/** Whether the OpenID provider publishes its metadata, for the issuer that is set. */
export async function checkProvider({ settings: { provider } }: Installation): Promise<Finding[]> {
  if (!provider) return []
  try {
    await discoverProvider(provider)
    return []
  } catch (error) {
    return [problem(installationTexts.provider(provider.issuer, reasonOf(error)))]
  }
}
