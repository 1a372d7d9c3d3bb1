import { stores } from './stores.ts'
import { conformanceSuite } from './suite.ts'

for (const subject of stores) conformanceSuite(subject)
