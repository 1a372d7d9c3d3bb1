/** The settings of this engine's process. */

import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `settings.*`. */
export const settingHandlers = (deps: HandlerDeps): Handlers<'settings.list'> => ({
  'settings.list': () => Promise.resolve({ settings: deps.settings, configFile: deps.configFile }),
})
