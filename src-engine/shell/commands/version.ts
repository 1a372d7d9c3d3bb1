/** `version`: what is installed. */

import { productVersion } from '../product-version.ts'
import type { Command } from './command.ts'

export const versionCommand: Command = {
  usage: 'version',
  summary: 'Print the version.',
  options: {},
  optionHelp: [],
  positionals: { min: 0, max: 0 },
  run: ({ json, emit, terminal }) => {
    const version = productVersion()
    if (json) emit({ type: 'version', version, node: process.versions.node })
    else terminal.line(`sagasmith ${version}`)
    return Promise.resolve(0)
  },
}
