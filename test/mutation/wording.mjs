// Keeps Stryker from changing what is only wording: tests check messages and descriptions by their meaning. Values
// of a protocol are changed, such as `invalid_grant` or `Bearer`.
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin'

/** Two words in a row, or a capital letter first and more than one word. */
const SENTENCE = /(?:^| )[A-Za-z]+[;:,]? [a-z]+|^[A-Z]\S* /

const wording = {
  shouldIgnore({ node }) {
    const text = node.type === 'TemplateLiteral' ? node.quasis[0].value.raw : node.value
    const isText = node.type === 'TemplateLiteral' || node.type === 'StringLiteral'
    return isText && SENTENCE.test(text) ? 'wording' : undefined
  },
}

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'wording', wording)]
