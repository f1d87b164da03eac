import { call, type Piece, table } from '../entity.ts'
import { swingStart } from '../parts.ts'

/** Pieces for the eye, which sound as well. */
export const picturePieces: readonly Piece[] = [
  {
    title: 'Harmonograph',
    name: 'harmonograph',
    description:
      'Four pendulums move one pen, two across and two upwards, and lose a little of their swing with every turn. Victorian parlours had such machines of brass and lead; Hugh Blackburn hung the first in 1844. Turn the first pendulum a hair first.',
    lines: [
      { calls: [call('swing', 72, 0, 9)], start: swingStart(0) },
      { calls: [call('swing', 108, 900, 9)], start: swingStart(90) },
      { calls: [call('swing', 145, 450, 8)], start: swingStart(45) },
      { calls: [call('swing', 217, 0, 7)], start: swingStart(0) },
    ],
    isWholeAtRest: true,
    present: {
      particles: 640,
      tempo: 900,
      loop: true,
      world: 'plotter',
      knobs: [
        { name: 'first pendulum', at: 'call/0/0/0', min: 36, max: 223 },
        { name: 'second pendulum', at: 'call/1/0/0', min: 36, max: 223 },
        { name: 'third pendulum', at: 'call/2/0/0', min: 36, max: 223 },
        { name: 'swings', at: 'call/0/0/2', min: 2, max: 20 },
      ],
      sound: {
        root: 2,
        scale: 'pentatonic',
        paths: [
          {
            path: '0',
            role: 'pitch',
            instrument: 'bell',
            mapping: 'spread',
            octave: 4,
            span: 2,
            pan: -40,
            room: 60,
          },
          { path: '1', instrument: 'silent' },
          {
            path: '2',
            role: 'pitch',
            instrument: 'pad',
            mapping: 'spread',
            octave: 3,
            span: 1,
            pan: 30,
            room: 60,
          },
          { path: '3', role: 'velocity' },
        ],
      },
    },
  },
  {
    title: 'Rose of seven',
    name: 'rose',
    description:
      'Two circles turn against each other, and a pen goes where both together take it: four turns and three are seven petals. Guido Grandi described such roses in 1728, in a book for the countess Clelia Borromeo. Turn either circle first: the petals are the sum of both.',
    lines: [
      { calls: [call('cycle', 4, 360)], into: 'circle' },
      { calls: [call('cycle', 3, 360)], into: 'circle_backwards' },
      table([110, 70, 84, 62, 96, 74], 'velocity'),
    ],
    isWholeAtRest: true,
    present: {
      particles: 361,
      tempo: 720,
      loop: true,
      world: 'plotter',
      knobs: [
        { name: 'first circle', at: 'call/0/0/0', min: 1, max: 12 },
        { name: 'second circle', at: 'call/1/0/0', min: 1, max: 12 },
      ],
      sound: {
        root: 7,
        scale: 'pentatonic',
        paths: [
          {
            path: '0/0',
            role: 'pitch',
            instrument: 'pluck',
            mapping: 'spread',
            octave: 4,
            span: 2,
            pan: -30,
          },
          { path: '0/1', instrument: 'silent' },
          { path: '1/0', role: 'pitch', instrument: 'keys', mapping: 'spread', octave: 3, span: 2, pan: 30 },
          { path: '1/1', instrument: 'silent' },
        ],
      },
    },
  },
  {
    title: 'Dragon',
    name: 'dragon_curve',
    description:
      'A strip of paper is folded in half eight times, always the same way, and opened to right angles: no corner meets another twice. John Heighway, a physicist at NASA, folded it in 1966. Turn the first fold first.',
    lines: [
      { calls: [call('dragon', 0)], start: 64, into: 'dot' },
      { calls: [call('dragon', 3)], start: 64, into: 'dot' },
      table([104, 66, 84, 72, 94, 62, 80, 70], 'velocity'),
    ],
    isWholeAtRest: true,
    present: {
      particles: 512,
      tempo: 720,
      loop: true,
      world: 'plotter',
      knobs: [
        { name: 'first fold', at: 'call/0/0/0', min: 0, max: 3 },
        { name: 'turn of the paper', at: 'call/1/0/0', min: 0, max: 3 },
      ],
      sound: {
        root: 9,
        scale: 'pentatonic',
        paths: [
          { path: '0/0', role: 'pitch', instrument: 'pluck', mapping: 'steps', octave: 3, span: 2, room: 35 },
          { path: '1/0', role: 'pitch', instrument: 'bell', mapping: 'steps', octave: 4, span: 1, room: 50 },
        ],
      },
    },
  },
  {
    title: 'Ten print',
    name: 'ten_print',
    description:
      'At every place chance draws one of two diagonals, and a maze appears that nobody built. It was one line on the Commodore 64 in 1982, 10 PRINT, and Sébastien Truchet laid such tiles in 1704. Turn the seed of chance first.',
    lines: [
      { calls: [call('shift_register', 46080)], start: 44257, into: 'coin' },
      { calls: [call('bounce_between', 1, 0, 48)] },
      table([104, 70, 88, 64, 96, 72, 80, 60], 'velocity'),
    ],
    present: {
      particles: 288,
      tempo: 560,
      loop: true,
      world: 'tiles',
      knobs: [
        { name: 'seed', at: 'start/1', min: 1, max: 65535 },
        { name: 'tone', at: 'call/1/0/0', min: 1, max: 12 },
      ],
      sound: {
        root: 9,
        scale: 'minor',
        paths: [
          { path: '0/0', instrument: 'clap', hits: 'above_zero', level: 50 },
          { path: '1', role: 'pitch', instrument: 'pluck', mapping: 'spread', octave: 3, span: 2, echo: 25 },
        ],
      },
    },
  },
  {
    title: 'Rule 90',
    name: 'rule_ninety',
    description:
      'One cell is on, and in each row a cell is what its two neighbours are not together: triangles in triangles appear. Wacław Sierpiński drew them in 1915, Stephen Wolfram gave the rule its number in 1983. Turn the rule first, to 30 or 110.',
    lines: [
      { calls: [call('cells', 90, 31)], start: 32768 },
      { calls: [call('cycle', 3, 8), call('cycle', 2, 8)], into: 'five_notes' },
      table([104, 72, 88, 66], 'velocity'),
    ],
    present: {
      particles: 64,
      tempo: 360,
      loop: true,
      world: 'tiles',
      knobs: [
        { name: 'rule', at: 'call/0/0/0', min: 0, max: 255 },
        { name: 'cells', at: 'call/0/0/1', min: 5, max: 31 },
      ],
      sound: {
        root: 9,
        scale: 'pentatonic',
        paths: [
          { path: '0', instrument: 'bell', mapping: 'spread', octave: 4, span: 2, room: 55 },
          { path: '1/0/0', instrument: 'pluck', mapping: 'notes', pan: 30 },
        ],
      },
    },
  },
  {
    title: 'Edge of chaos',
    name: 'edge_of_chaos',
    description:
      'A number grows by a rate and is held back by its own size: calm, then two values by turns, then four, and past 3570 none comes twice. Robert May showed in 1976 how much is in so small a rule. Turn the rate from 2800 upwards and listen.',
    lines: [
      { calls: [call('logistic', 3860)], start: 400 },
      table([100, 66, 84, 72, 92, 62, 80, 70], 'velocity'),
    ],
    present: {
      particles: 512,
      tempo: 420,
      loop: true,
      world: 'starfield',
      knobs: [
        { name: 'rate', at: 'call/0/0/0', min: 2800, max: 4000 },
        { name: 'beginning', at: 'start/1', min: 1, max: 999 },
      ],
      sound: {
        root: 4,
        scale: 'pentatonic',
        paths: [
          { path: '0', role: 'pitch', instrument: 'pluck', mapping: 'spread', octave: 3, span: 3, room: 40 },
        ],
      },
    },
  },
  {
    title: 'Rabbit cloth',
    name: 'rabbit_cloth',
    description:
      'Warp and weft follow the Fibonacci word, which grows like a family of rabbits and never repeats. Leonardo of Pisa counted the rabbits in 1202, and weavers who cannot bear a repeat use his word. Turn a step up first.',
    lines: [
      { calls: [call('golden_walk', 4, 6)], start: 3, into: 'warp' },
      { calls: [call('golden_walk', 8, 6)], start: 3, into: 'weft' },
      table([104, 70, 88, 64, 96], 'velocity'),
    ],
    present: {
      particles: 96,
      tempo: 400,
      loop: true,
      world: 'cloth',
      knobs: [
        { name: 'warp up', at: 'call/0/0/0', min: 0, max: 15 },
        { name: 'warp down', at: 'call/0/0/1', min: 0, max: 15 },
        { name: 'weft up', at: 'call/1/0/0', min: 0, max: 15 },
      ],
      sound: {
        root: 2,
        scale: 'dorian',
        paths: [
          { path: '0/0', role: 'pitch', instrument: 'pluck', mapping: 'steps', octave: 4, span: 2, pan: -25 },
          { path: '1/0', role: 'pitch', instrument: 'bass', mapping: 'steps', octave: 2, span: 1 },
        ],
      },
    },
  },
  {
    title: 'Wind',
    name: 'wind',
    description:
      'Threads lie in a wind whose direction swings from place to place, and lights drift with it. Ken Perlin’s noise of 1983 made such fields a tool, and a generation of plotters drew with them. Turn the speed of the swing first: near 1800 the wind turns back at every place.',
    lines: [
      { calls: [call('swing', 83, 360, 0)], start: swingStart(36) },
      { calls: [call('swing', 32, 2160, 0)], start: swingStart(216) },
      table([98, 62, 80, 68, 90, 58], 'velocity'),
    ],
    present: {
      particles: 240,
      tempo: 300,
      loop: true,
      world: 'flow',
      knobs: [
        { name: 'swing', at: 'call/0/0/0', min: 1, max: 1800 },
        { name: 'colour', at: 'call/1/0/0', min: 1, max: 1800 },
      ],
      sound: {
        root: 2,
        scale: 'pentatonic',
        paths: [
          { path: '0', role: 'pitch', instrument: 'bell', mapping: 'spread', octave: 4, span: 2, room: 70 },
          { path: '1', role: 'pitch', instrument: 'pad', mapping: 'spread', octave: 3, span: 1, room: 60 },
        ],
      },
    },
  },
]
