import { editDistance } from '../../platform/common/edit-distance.js'
import { SettingsSchema } from './settings.js'

const known = new Set<string>()
for (const [name, { secret }] of Object.entries(SettingsSchema.properties)) {
  known.add(name)
  if (secret) known.add(`${name}_FILE`)
}

const SPELLINGS = Object.keys(SettingsSchema.properties).map(setting => ({
  setting,
  letters: lettersOf(setting),
}))

/** Settings of an earlier release, and the behaviour without them. Each is kept for one release. */
const REMOVED: Readonly<Record<string, string>> = {
  MCP_APPS: 'Assistants that can show the picture of an answer always get it.',
}

/** Maximum letters in which a misspelt name may differ from a setting. */
const MAX_DIFFERENT = 2

/** Returns a warning for each variable that was a setting or looks like a misspelt one. They have no effect. */
export function unknownSettings(env: Record<string, string | undefined>): string[] {
  return Object.keys(env).flatMap(name => {
    if (known.has(name)) return []
    const removed = Object.hasOwn(REMOVED, name) ? REMOVED[name] : undefined
    if (removed) return [`${name} is no longer a setting and has no effect. ${removed}`]
    const suggestion = nearest(name)
    if (suggestion) return [`${name} is not a setting of this service. Did you mean ${suggestion}?`]
    return /^SVC_/i.test(name) ? [`${name} is not a setting of this service. See "svc config".`] : []
  })
}

/** The setting with the most similar name, if any is close. */
function nearest(name: string): string | null {
  if (name.length > 40) return null
  const typed = lettersOf(name.replace(/^SVC_/i, '').replace(/_FILE$/i, ''))
  for (const { setting, letters } of SPELLINGS) if (typed === letters) return setting
  const distances = SPELLINGS.filter(
    ({ letters }) => Math.abs(letters.length - typed.length) <= MAX_DIFFERENT,
  )
    .map(({ setting, letters }) => ({ setting, distance: editDistance(typed, letters) }))
    .sort((a, b) => a.distance - b.distance)
  const [best] = distances
  // Short names resemble many others, such as PORT and PATH.
  const most = Math.min(MAX_DIFFERENT, Math.floor((best?.setting.length ?? 0) / 4))
  return best && best.distance <= most ? best.setting : null
}

function lettersOf(name: string): string {
  return name.toUpperCase().replaceAll('_', '')
}
