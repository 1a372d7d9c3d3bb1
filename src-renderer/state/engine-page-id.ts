/** The engine's pages. A new one is a name here, and a line in their catalogue. */

/** The page that stands in front of the workflow. */
export type EnginePageId =
  | 'runs'
  | 'logs'
  | 'inbox'
  | 'runners'
  | 'pools'
  | 'triggers'
  | 'schedules'
  | 'dead-letters'
  | 'quarantine'
  | 'policy'
  | 'audit'
  | 'clusters'
  | 'secrets'
  | 'sealing'
  | 'trust'
  | 'settings'
