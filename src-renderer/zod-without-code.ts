/**
 * The page's content policy allows no code made from text, which zod tries as soon as a schema is made. So
 * this is a module of its own, which comes before those that make schemas.
 */

import { z } from 'zod'

z.config({ jitless: true })
