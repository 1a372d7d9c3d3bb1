/** Commands that lead to what a text names: for whoever pastes an id, or a line of a log, into the palette. */

import type { NamedPlace } from '../../src-engine/protocol/named-places.ts'
import { namedPlaces } from '../../src-engine/protocol/named-places.ts'
import type { Designer } from '../state/designer.ts'
import { openLink } from '../state/open-link.ts'
import { showRunOf } from '../state/show-run.ts'
import { fill, places as words } from '../text/messages.ts'
import type { AppCommand } from './app/app-command.ts'

/** None for a text that names nothing. */
export const placeCommands = (text: string): readonly AppCommand[] =>
  namedPlaces(text).map((place, index) => ({
    id: `place.${index}`,
    title: titleOf(place),
    group: 'View',
    keys: [],
    scope: 'global',
    isEnabled: () => true,
    run: (designer) => void show(designer, place),
  }))

function titleOf(place: NamedPlace): string {
  switch (place.kind) {
    case 'run':
      return fill(words.run, { run: place.runId })
    case 'step':
      return fill(words.step, { step: place.step, run: place.runId })
    case 'runner':
      return fill(words.runner, { runner: place.runnerId })
    default:
      return fill(words.link, { link: place.text })
  }
}

async function show(designer: Designer, place: NamedPlace): Promise<void> {
  if (place.kind === 'runner') designer.view.getState().setEnginePage('runners')
  else if (place.kind === 'link') await openLink(designer, place.link)
  else if (place.kind === 'run') await showRunOf(designer, { runId: place.runId, nodeId: null })
  else await showRunOf(designer, { runId: place.runId, nodeId: null, invocationId: place.invocationId })
}
