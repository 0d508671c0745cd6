// The same with the tests that need no server: minutes instead of hours. What survives here may well be noticed by
// the tests of test/integration.
import config from './stryker.config.mjs'

const { folders, without } = config.tapInProcess

export default {
  ...config,
  tapInProcess: { folders: folders.filter(folder => folder.startsWith('test/unit/')), without },
  incremental: false,
  thresholds: { ...config.thresholds, break: null },
}
