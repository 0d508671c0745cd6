import type { FastifyInstance } from 'fastify'
import { assetUrl } from '../platform/common/asset.js'

/**
 * The web app manifest: a phone needs it to add the service to its home screen and its share sheet, which opens
 * `/add` with the shared content. Public, and the same for everybody.
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
