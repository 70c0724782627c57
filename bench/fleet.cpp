// The engagement of two groups (22.53 to 22.55) written down once more, for measuring: what can C++ do with the same dice?
// One nation a side, capital ships and CA and DD, nothing carried; both sides led as the admiral leads. bench/fleet.py.
#include <algorithm>
#include <cstdint>
using std::max; using std::min;

struct Tape {  // philox.py, 64 dice at a time
    uint32_t seed[2], battle[2];
    int used = 0, window[64];
    void fill() {
        for (int block = 0; block < 16; block++) {
            uint32_t a = used / 4 + block, b = 0, c = battle[0], d = battle[1], k = seed[0], l = seed[1];
            for (int round = 0; round < 10; round++, k += 0x9E3779B9u, l += 0xBB67AE85u) {
                uint64_t one = uint64_t(0xD2511F53u) * a, two = uint64_t(0xCD9E8D57u) * c;
                a = uint32_t(two >> 32) ^ b ^ k, b = uint32_t(two), c = uint32_t(one >> 32) ^ d ^ l, d = uint32_t(one);
            }
            const uint32_t words[4] = {a, b, c, d};
            for (int i = 0; i < 4; i++) window[4 * block + i] = 1 + int(uint64_t(words[i]) * 6 >> 32);
        }
    }
    int die() { if (used % 64 == 0) fill(); return window[used++ % 64]; }
};

struct Ship { int32_t size, fast, hits, damaged, sunk; };
struct Lights {  // cruisers, damaged ones, destroyers
    int ca, hurt, dd;
    int ships() const { return ca + hurt + dd; }
    int factors() const { return 2 * (ca + hurt) + dd; }
    void suffer(int hits, Lights& hurt_to) {  // 20.532
        int cruiser = 0, other = 0, gone = 0, hurt_gone = 0, half = 0;
        for (; hits > 0; hits--) {
            bool left = gone + half < ca || half || hurt_gone < hurt;
            if (dd > other && ((other < cruiser && other + 1 <= 2 * (gone + hurt_gone)) || !left)) other++;
            else if (!left) break;
            else if (cruiser++, half) half = 0, gone++;
            else if (gone < ca) half = 1;
            else hurt_gone++;
        }
        ca -= gone + half, hurt -= hurt_gone, dd -= other, hurt_to.hurt += half;
    }
};
struct Side { Ship ship[16]; int ships; Lights ahead, behind; Ship *line[16], *screen[16]; int lines, screens, holding; Lights held; };

struct Battle {
    Tape tape; Side side[2]; const int32_t *table; int drm[2];
    int fire(int who, int factors) {
        int roll = tape.die(); roll += tape.die() + drm[who];
        return table[factors * 11 + min(12, max(2, roll)) - 2];
    }
    static void hit(Ship& ship, int hits) {  // 20.513
        ship.hits += hits;
        if (ship.damaged || ship.hits >= ship.size) ship.sunk = 1;
        else if (ship.hits >= ship.size - 1) ship.damaged = 1;
    }
    static bool before(const Ship* a, const Ship* b) {  // 22.54A
        if (a->size != b->size) return a->size > b->size;
        return a->fast != b->fast ? a->fast > b->fast : a->hits < b->hits;
    }
    static void form(Side& own) {
        own.lines = own.screens = own.holding = 0;
        Lights all = {own.ahead.ca + own.behind.ca, own.ahead.hurt + own.behind.hurt, own.ahead.dd + own.behind.dd};
        own.ahead = {all.ca, 0, all.dd}, own.behind = {0, all.hurt, 0}, own.held = {0, 0, 0};
        for (Ship* ship = own.ship; ship < own.ship + own.ships; ship++) {
            if (ship->sunk) continue;
            if (ship->damaged) { own.screen[own.screens++] = ship; continue; }
            int place = own.lines++;
            for (; place > 0 && before(ship, own.line[place - 1]); place--) own.line[place] = own.line[place - 1];
            own.line[place] = ship;
        }
    }
    static Ship* nearest(Side& foe, int first) {  // to sinking, of the first so many afloat
        Ship* found = nullptr; int best = -1;
        for (int i = 0; i < first; i++) {
            Ship& ship = *foe.line[i]; int worth = 10 * ship.hits + 20 * ship.damaged + ship.size;
            if (!ship.sunk && worth > best) best = worth, found = &ship;
        }
        return found;
    }
    void capital_fire() {  // 22.54A to C
        int longer = side[0].lines >= side[1].lines ? 0 : 1, pairs = side[1 - longer].lines, scored[2][17], guns = 0;
        Side &mine = side[longer], &foe = side[1 - longer];
        Ship* aim = mine.lines > pairs ? nearest(foe, pairs) : nullptr;
        for (int i = pairs; i < mine.lines; i++) guns += mine.line[i]->size;
        bool at_light = !pairs && guns && foe.ahead.ships();
        mine.holding = guns && !pairs && !at_light;
        for (int who = 0; who < 2; who++) {
            for (int i = 0; i < pairs; i++)
                scored[who][i] = fire(who, side[who].line[i]->size + (who == longer && side[1 - who].line[i] == aim ? guns : 0));
            scored[who][pairs] = who == longer && at_light ? fire(who, guns) : 0;
        }
        for (int who = 0; who < 2; who++) {
            for (int i = 0; i < pairs; i++) if (scored[who][i]) hit(*side[1 - who].line[i], scored[who][i]);
            side[1 - who].ahead.suffer(scored[who][pairs], side[1 - who].behind);
        }
    }
    void light_fire() {  // 22.54D to F
        Lights direct[2], aside[2]; Ship* target[2]; int scored[2][2];
        for (int who = 0; who < 2; who++) {
            Side &own = side[who], &foe = side[1 - who];
            int mine = own.ahead.factors(), theirs = foe.ahead.factors(), surplus = max(0, mine - 3 * theirs);
            direct[who] = aside[who] = {0, 0, 0}, target[who] = nullptr;
            if (!surplus) { if (theirs) direct[who] = own.ahead; continue; }
            if (100 * foe.ahead.ships() >= 25 * own.ahead.ships()) { direct[who] = own.ahead; continue; }
            target[who] = nearest(foe, foe.lines);
            Lights& away = target[who] ? aside[who] : own.held;
            away.ca = theirs ? min(own.ahead.ca, surplus / 2) : own.ahead.ca, surplus -= 2 * away.ca;
            away.dd = theirs ? min(own.ahead.dd, surplus) : own.ahead.dd;
            direct[who] = {own.ahead.ca - away.ca, 0, own.ahead.dd - away.dd};
        }
        for (int who = 0; who < 2; who++) {
            scored[who][1] = aside[who].ships() ? fire(who, aside[who].factors()) : 0;
            scored[who][0] = direct[who].ships() ? fire(who, direct[who].factors()) : 0;
        }
        for (int who = 0; who < 2; who++) {
            if (scored[who][1]) hit(*target[who], scored[who][1]);
            side[1 - who].ahead.suffer(scored[who][0], side[1 - who].ahead);
        }
    }
    void fire_on_screen(int who, int factors) {  // 22.54G
        Side& foe = side[1 - who]; Ship* target = nullptr; int best = -1;
        for (int i = 0; i < foe.screens; i++) {
            Ship& ship = *foe.screen[i]; int worth = 100000 * ship.damaged + 100 * ship.hits + ship.size;
            if (!ship.sunk && worth > best) best = worth, target = &ship;
        }
        if (!factors || (!target && !foe.behind.ships())) return;
        int hits = fire(who, factors);
        if (target) { if (hits) hit(*target, hits); } else foe.behind.suffer(hits, foe.behind);
    }
    void screened_fire(int who, bool sound_only) {
        Side &own = side[who], &foe = side[1 - who];
        if (foe.ahead.ships() || nearest(foe, foe.lines)) return;
        int guns = 0;
        for (int i = 0; i < own.lines && own.holding; i++)
            if (!own.line[i]->sunk && !(sound_only && own.line[i]->damaged)) guns += own.line[i]->size;
        fire_on_screen(who, guns);
        int cruisers = min(own.held.ca, own.ahead.ca + (sound_only ? 0 : own.ahead.hurt));
        fire_on_screen(who, 2 * cruisers + min(own.held.dd, own.ahead.dd));
    }
    bool afloat(int who) const {
        for (int i = 0; i < side[who].ships; i++) if (!side[who].ship[i].sunk) return true;
        return side[who].ahead.ships() + side[who].behind.ships() > 0;
    }
};

extern "C" void fight(const Ship* ships, const int32_t* counts, const int32_t* table, const int32_t* drm, int rounds,
                      int sound_only, uint64_t seed, uint64_t first, int64_t battles, int32_t* row) {
    Battle world; world.table = table;
    for (int who = 0; who < 2; who++) {
        world.drm[who] = drm[who], world.side[who].ships = counts[3 * who], world.side[who].behind = {0, 0, 0};
        world.side[who].ahead = {counts[3 * who + 1], 0, counts[3 * who + 2]};
        for (int i = 0; i < counts[3 * who]; i++) world.side[who].ship[i] = *ships++;
    }
    for (uint64_t number = first; number < first + battles; number++) {
        Battle battle = world;
        battle.tape.seed[0] = uint32_t(seed), battle.tape.seed[1] = uint32_t(seed >> 32);
        battle.tape.battle[0] = uint32_t(number), battle.tape.battle[1] = uint32_t(number >> 32);
        for (int round = 0; round < rounds && battle.afloat(0) && battle.afloat(1); round++) {
            Battle::form(battle.side[0]), Battle::form(battle.side[1]);
            battle.capital_fire(), battle.light_fire();
            battle.screened_fire(0, sound_only), battle.screened_fire(1, sound_only);
        }
        *row++ = battle.tape.used;
        for (const Side& own : battle.side) {
            for (int i = 0; i < own.ships; i++) *row++ = own.ship[i].sunk ? -1 : own.ship[i].hits + 100 * own.ship[i].damaged;
            *row++ = own.ahead.ca + own.behind.ca, *row++ = own.ahead.hurt + own.behind.hurt, *row++ = own.ahead.dd + own.behind.dd;
        }
    }
}
