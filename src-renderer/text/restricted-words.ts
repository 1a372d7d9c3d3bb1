/** What people read about documents from elsewhere, until they trust them. */

import type { TrustedDocument } from '../../src-engine/model/document-trust.ts'
import type { Reached } from '../../src-engine/model/reach.ts'

/** The groups of what a document may touch, gravest first: what they are called, and how a sentence says them. */
export const reachWords = {
  commands: { title: 'Commands', can: 'run commands' },
  private: { title: 'Addresses of this machine and its network', can: 'reach your own network' },
  hosts: { title: 'Hosts', can: 'reach hosts' },
  paths: { title: 'Files and folders', can: 'touch files' },
  starts: { title: 'Starts by itself', can: 'start by itself' },
  databases: { title: 'Databases', can: 'use databases' },
  mail: { title: 'Mail servers', can: 'send mail' },
  secrets: { title: 'Secrets', can: 'use secrets' },
  workflows: { title: 'Other workflows', can: 'start other workflows' },
  runs: { title: 'Other runs', can: 'cancel or signal other runs' },
  clusters: { title: 'Clusters', can: 'tell events to clusters' },
  unknown: { title: 'Kinds that are not known here', can: 'do what nobody here knows' },
} as const satisfies Record<Reached['what'], { readonly title: string; readonly can: string }>

export const reasonWords: Readonly<Record<TrustedDocument['reason'], string>> = {
  made: 'Made here',
  looked: 'Looked at and trusted',
  sample: 'Came with Sagasmith',
}

export const restrictedWords = {
  command: 'What it may touch …',
  opened: 'Opened restricted.',
  can: 'It can {things}. Nothing runs before you trust it.',
  wider:
    'It reaches further than you trusted it with: it can {things}. Nothing runs before you trust that too.',
  and: ' and ',
  review: 'Look at it',
  tab: 'restricted',
  run: 'Restricted: look at what it may touch before it runs',
  title: 'What “{title}” may touch',
  lead: 'It came from elsewhere. Run it only if you expect it to do these things. You can look at it, edit it, rehearse it and play its tests without trusting it.',
  leadWider: 'You trusted it before; what is marked is new. It didn’t come from your own edits here.',
  leadTrusted: 'You trust it with all of this. What your own edits add is trusted with it.',
  nothing: 'Nothing outside of its runs.',
  isNew: 'new',
  decided: 'decided when it runs',
  trigger: 'a trigger',
  whole: 'the workflow',
  limits:
    'The list doesn’t know what a command does, or where a server redirects to. Workflows that it starts are trusted each by itself.',
  keep: 'Keep restricted',
  trust: 'Trust this workflow',
  revoke: 'Trust it no more',
  listTitle: 'Workflows that may run here',
  listLead:
    'What you made here or trusted, with what it may touch. What comes from elsewhere opens restricted until then.',
  none: 'Nothing yet. A workflow that touches nothing outside of its runs needs no trust.',
  workflow: 'Workflow',
  why: 'Why',
  reach: 'May touch',
  things: '{count} things',
  oneThing: '1 thing',
  revokeShort: 'Revoke',
} as const
