// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/mushrooms.h"

#include <string_view>

namespace credence::mushroom_bandit {
namespace {

struct Attribute {
    const char* name;
    std::string_view letters;   // "b=bell,c=conical,"
};
constexpr std::string_view stalk_surface = "f=fibrous,k=silky,s=smooth,y=scaly,",
                           stalk_colour  = "b=buff,c=cinnamon,e=red,g=grey,n=brown,o=orange,p=pink,w=white,y=yellow,";
/// The words of agaricus-lepiota.names, the description of the table.
constexpr Attribute attributes[n_attributes] = {
    {"cap shape", "b=bell,c=conical,f=flat,k=knobbed,s=sunken,x=convex,"},
    {"cap surface", "f=fibrous,g=grooved,s=smooth,y=scaly,"},
    {"cap colour", "b=buff,c=cinnamon,e=red,g=grey,n=brown,p=pink,r=green,u=purple,w=white,y=yellow,"},
    {"bruises", "f=no,t=yes,"},
    {"odor", "a=almond,c=creosote,f=foul,l=anise,m=musty,n=none,p=pungent,s=spicy,y=fishy,"},
    {"gill attachment", "a=attached,d=descending,f=free,n=notched,"},
    {"gill spacing", "c=close,d=distant,w=crowded,"},
    {"gill size", "b=broad,n=narrow,"},
    {"gill colour",
     "b=buff,e=red,g=grey,h=chocolate,k=black,n=brown,o=orange,p=pink,r=green,u=purple,w=white,y=yellow,"},
    {"stalk shape", "e=enlarging,t=tapering,"},
    {"stalk root", "?=missing,b=bulbous,c=club,e=equal,r=rooted,u=cup,z=rhizomorphs,"},
    {"stalk surface above ring", stalk_surface},
    {"stalk surface below ring", stalk_surface},
    {"stalk colour above ring", stalk_colour},
    {"stalk colour below ring", stalk_colour},
    {"veil type", "p=partial,u=universal,"},
    {"veil colour", "n=brown,o=orange,w=white,y=yellow,"},
    {"ring number", "n=none,o=one,t=two,"},
    {"ring type", "c=cobwebby,e=evanescent,f=flaring,l=large,n=none,p=pendant,s=sheathing,z=zone,"},
    {"spore print", "b=buff,h=chocolate,k=black,n=brown,o=orange,r=green,u=purple,w=white,y=yellow,"},
    {"population", "a=abundant,c=clustered,n=numerous,s=scattered,v=several,y=solitary,"},
    {"habitat", "d=woods,g=grass,l=leaves,m=meadows,p=paths,u=urban,w=waste,"}};

}   // namespace

const char* attribute_name(std::size_t i) { return attributes[i].name; }

std::string value_name(std::size_t i, const std::string& letter)
{
    const std::string_view all = attributes[i].letters;
    for (std::size_t at = 0; letter.size() == 1 && at < all.size();) {
        const std::size_t end = all.find(',', at);
        if (all[at] == letter.front())
            return std::string(all.substr(at + 2, end - at - 2));
        at = end + 1;
    }
    return letter;
}

}   // namespace credence::mushroom_bandit
