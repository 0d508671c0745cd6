import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import assets from '@fastify/static'
import view from '@fastify/view'
import { Eta } from 'eta'
import type { FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { messages } from '../messages.js'
import { rootDir } from './config.js'
import { showBytes, showNumber, showTime } from './format.js'

declare module 'fastify' {
  interface FastifyReply {
    render(name: string, content: object): FastifyReply
  }
}

/**
 * Eta pages from `views/`, with what they share, and what they load from `public/`. Eta escapes whatever a page
 * prints with `<%= %>`. `reply.view(name, content)` is how every page is sent.
 */
export default fp(
  async function viewsPlugin(app: FastifyInstance) {
    const root = join(rootDir, 'views')
    const engine = new Eta({ views: root })
    await app.register(view, { engine: { eta: engine }, root, production: true, propertyName: 'render' })
    await app.register(assets, {
      root: join(rootDir, 'public'),
      prefix: '/assets/',
      decorateReply: false,
      immutable: true,
      maxAge: '365d',
      setHeaders: response => response.setHeader('X-Content-Type-Options', 'nosniff'),
    })
    const shared = {
      m: messages,
      brand: app.config.brand,
      styleUrl: assetUrl('style.css'),
      scriptUrl: assetUrl('page.js'),
      iconUrl: assetUrl('icon.svg'),
      showBytes,
      showNumber,
      showTime,
    }
    app.decorateReply('view', function (this: FastifyReply, name: string, content?: object) {
      this.headers(app.pageHeaders)
      const { account } = this.request
      const csrfField = (path: string) => `<input type="hidden" name="_csrf" value="${this.csrfToken(path)}">`
      return this.render(name, { ...shared, account, csrfField, ...content })
    })
  },
  { name: 'views', dependencies: ['config'] },
)

/** Changes with the file, so that browsers may keep it for a year. */
function assetUrl(file: string): string {
  const content = readFileSync(join(rootDir, 'public', file))
  return `/assets/${file}?v=${createHash('sha256').update(content).digest('hex').slice(0, 12)}`
}
