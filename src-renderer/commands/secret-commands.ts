/** A command for each secret of the vault: leads to its line, by its name. */

import type { Designer } from '../state/designer.ts'
import { secretWords as words } from '../text/secret-words.ts'
import type { AppCommand } from './app/app-command.ts'

/** None until the engine has told what the vault keeps. */
export const secretCommands = ({ secrets }: Pick<Designer, 'secrets'>): readonly AppCommand[] =>
  (secrets.getState().view?.secrets ?? []).map(({ name }) => ({
    id: `secret.${name}`,
    title: `${words.one} ${name}`,
    group: 'View',
    keys: [],
    scope: 'global',
    isEnabled: () => true,
    run: (designer) => {
      designer.secrets.getState().setFilter(name)
      designer.view.getState().setEnginePage('secrets')
    },
  }))
