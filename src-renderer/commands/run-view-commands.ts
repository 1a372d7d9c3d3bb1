/** A command for each saved view of the page of runs: made when somebody looks for one. */

import type { Designer } from '../state/designer.ts'
import { fill } from '../text/messages.ts'
import { runListWords as words } from '../text/run-list-words.ts'
import type { AppCommand } from './registry.ts'

/** In the order of the views. */
export const runViewCommands = (designer: Designer): readonly AppCommand[] =>
  designer.runViews.getState().views.map(({ id, title, filter }) => ({
    id: `runs.view.${id}`,
    title: fill(words.command, { view: title }),
    group: 'View',
    keys: [],
    scope: 'global',
    isEnabled: () => true,
    run: () => {
      designer.runViews.getState().setFilter(filter)
      designer.view.getState().setEnginePage('runs')
    },
  }))
