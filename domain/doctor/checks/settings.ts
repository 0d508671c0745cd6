import { type Finding, warning } from '../finding.js'
import type { Installation } from '../installation.js'
import { installationTexts } from './installation-texts.js'

/** Whether a variable looks like a setting but is unknown. */
export async function checkSettings({ unknownSettings }: Installation): Promise<Finding[]> {
  return unknownSettings.map(sentence => warning(installationTexts.settings(sentence)))
}
