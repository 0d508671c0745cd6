import type { FastifyInstance } from 'fastify'
import { assetUrl } from '../platform/common/asset.js'

/**
 * The web app manifest: what a phone needs to put the service on its home screen and into its share sheet, which opens
 * `/add` with what is shared. Public, and the same for everybody.
 */
export default async function webManifestRoute(app: FastifyInstance) {
  const { brand } = app.config
  const icon = (size: number) => ({
    src: assetUrl(`icon-${size}.png`),
    sizes: `${size}x${size}`,
    type: 'image/png',
  })
  const manifest = JSON.stringify({
    id: '/',
    name: brand,
    short_name: brand,
    start_url: '/',
    scope: '/',
    display: 'minimal-ui',
    background_color: '#ffffff',
    theme_color: '#0f766e',
    icons: [icon(192), icon(512)],
    share_target: {
      action: '/add',
      method: 'GET',
      params: { title: 'title', text: 'text', url: 'url' },
    },
  })
  app.get('/manifest.webmanifest', async (_, reply) =>
    reply
      .headers({ 'Cache-Control': 'public, max-age=3600', 'X-Content-Type-Options': 'nosniff' })
      .type('application/manifest+json')
      .send(manifest),
  )
}
