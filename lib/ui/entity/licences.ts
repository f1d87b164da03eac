/** Licences that the studio offers, with their short names and what each allows. */
export const LICENCES: readonly (readonly [id: string, name: string, allows: string])[] = [
  ['MIT', 'MIT', 'free to use and change, with credit'],
  ['CC0-1.0', 'CC0', 'free for anything, even without credit'],
  ['CC-BY-4.0', 'CC BY', 'free to use and change, with credit'],
  ['CC-BY-SA-4.0', 'CC BY-SA', 'free with credit, and what is made of it stays free'],
  ['GPL-3.0-or-later', 'GPL 3', 'free to use, and programs made of it stay open'],
]
