import type { Icon, Implementation } from '@modelcontextprotocol/sdk/types.js'
import { assetUrl } from '../platform/common/asset.js'

export interface ServerIdentity {
  brand: string
  version: string
  /** Our origin. The icons are served there, because clients ignore those of other origins. */
  baseUrl: string
}

/** How the server introduces itself. */
export interface ServerInfo extends Implementation {
  title: string
  icons: Icon[]
}

/** PNG, which all clients that show icons support (MCP 2025-11-25, Icons). */
const ICON_SIZES = [48, 192]

/** Reads the icons, so call it once. */
export function serverInfoOf({ brand, version, baseUrl }: ServerIdentity): ServerInfo {
  const icons = ICON_SIZES.map(size => ({
    src: `${baseUrl}${assetUrl(`icon-${size}.png`)}`,
    mimeType: 'image/png',
    sizes: [`${size}x${size}`],
  }))
  return { name: brand, title: `${brand} – Safes`, version, icons }
}
