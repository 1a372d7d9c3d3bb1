/** What the designer says about triggers that are made of others. */

export const conditions = {
  title: 'Conditions',
  mode: 'Starts when',
  modes: { all: 'All of these have come', any: 'Any of these comes' },
  joint: { all: 'and', any: 'or' },
  none: 'Add what it waits for: triggers that are here, or new ones. They start nothing by themselves then.',
  open: 'Show its form',
  gone: 'no such trigger here',
  met: 'has come',
  missing: 'is waited for',
  remove: 'Take {title} out of the conditions',
  add: 'Add a condition',
  addShort: 'Add condition …',
  known: 'Triggers of this workflow',
  fresh: 'A new one',
  part: 'A condition of {titles}: starts nothing by itself',
  waitsFor: 'waits for {titles}',
} as const
