"""A small Warplanner file for the tests, made up from what is known of the format: no real game."""

from __future__ import annotations

SMALL = """<?xml version="1.0" encoding="UTF-8"?>
<game title="A war of our own" starting-year="1941" starting-season="Spring" current-phase-id="7" version="3.1371" odd="x">
 <players><p name="somebody"/></players>
 <countries>
  <c id="ge" name="Germany" coalition="axis" cards="ultra,ultra,magic">
   <groups><g id="1" name="pool"/></groups>
   <units>
    <u i="1" t="battleship" n="Bismarck" s="4" m="0" l="5" tfi="1" tfx="2" tfy="0" tfs="0"/>
    <u i="2" t="cruiser" s="4" l="5" tfi="1" tfx="2" tfy="1"/>
    <u i="3" t="destroyer" s="2" l="5" tfi="1" tfx="2" tfy="1"/>
    <u i="4" t="taskforce" n="TF 2" l="2" h="0/D21~2"/>
    <u i="5" t="sub" s="3" l="2" h="0/B20~1" stack="0"/>
    <u i="6" t="aaf" s="2" m="4" l="2" h="0/B20~1" stack="1"/>
    <u i="7" t="infantry" s="3" l="2" h="0/B20~1"/>
    <u i="8" t="battleship" n="Tirpitz" s="4" l="3" syi="1" syx="4" syy="0"/>
    <u i="9" t="destroyer" s="9" l="1" f="1"/>
   </units>
  </c>
  <c id="uk" name="Britain" coalition="allies">
   <units>
    <u i="20" t="battleship" n="Pr of Wales" s="4" l="5" tfi="2" tfx="1"/>
    <u i="21" t="battleship" n="Hood" s="3" l="5" tfi="2" tfx="1"/>
    <u i="22" t="battleship" n="Dk of York" s="4" l="2" h="0/E24"/>
    <u i="23" t="battleship" n="Kg George" s="4" l="2" h="0/E24"/>
    <u i="24" t="battleship" n="Qu Elizabeth" s="3" slow="1" l="2" h="0/E24"/>
    <u i="25" t="battleship" n="R Sovereign" s="3" slow="1" l="2" h="0/E24"/>
    <u i="26" t="cruiser" s="18" l="2" h="0/E24"/>
    <u i="27" t="destroyer" s="8" l="2" h="0/E24"/>
    <u i="28" t="carrier" n="Ark Royal" s="2" l="2" h="0/E24"/>
    <u i="29" t="cve" s="1" l="2" h="0/E24"/>
    <u i="30" t="transport" s="2" l="2" h="0/E24"/>
    <u i="31" t="bomber" s="1" l="2" h="0/E24"/>
    <u i="32" t="cruiser" s="3" l="2" h="0/E24"/>
    <u i="33" t="battleship" n="Hood" s="3" l="2" h="0/E24"/>
    <u i="34" t="battleship" n="Ajax" s="3" l="2" h="0/E24"/>
    <u i="35" t="battleship" n="R" s="3" l="2" h="0/E24"/>
    <u i="36" t="battleship" n="Repulse" s="9" l="2" h="0/E24"/>
    <u i="37" t="cruiser" s="2" l="4"/>
    <u i="38" t="cruiser" s="2"/>
    <u i="39" t="cruiser" s="2" l="2"/>
    <u i="40" t="cruiser" s="2" l="5"/>
    <u i="41" t="destroyer" s="many" l="2" h="0/E24"/>
    <u i="42" t="asw" s="2" l="2" h="0/E24"/>
    <u i="43" t="interceptor" s="2" l="2" h="0/E24"/>
   </units>
  </c>
  <c id="gr" name="Greece" coalition="allies"><units><u t="destroyer" s="1" l="2" h="0/E24"/></units></c>
  <c id="pe" name="Peru" coalition="allies"><units><u t="destroyer" s="1" l="2" h="0/E24"/></units></c>
  <c id="sw" name="Sweden"><units><u t="cruiser" s="2" l="2" h="0/D30"/></units></c>
  <c id="jp" name="Japan" coalition="axis"><units>
    <u t="carrier" n="Akagi" s="3" l="2" h="1/K8~"/><u t="nas" s="3" l="2" h="1/K8"/><u t="jet" s="1" l="2" h="7/K8"/>
  </units></c>
 </countries>
 <history><u t="battleship" n="Nobody" s="4" l="2" h="0/A1"/></history>
</game>
"""
